"""Mail in and out: bytes to letters, IMAP, SMTP, and the embedded server."""
