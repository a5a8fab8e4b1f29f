"""One whole game by mail on loopback: an embedded server, the service, and bots that only read and write mail."""
