"""What may come in: tags that prove a seat, questions about a letter, and one table of policy."""
