"""The service: board games by e-mail, run from a mailbox."""
