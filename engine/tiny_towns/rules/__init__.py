"""One family of actions a file; a rule takes the state, the seat and the move, and gives the step that follows."""
