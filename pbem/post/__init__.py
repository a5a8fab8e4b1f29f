"""From notices to mails: facts about one seat of one game, the words, and the finished bytes."""
