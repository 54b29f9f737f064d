"""What is said aloud of a game: which sentences, how they are pronounced, and the clips that are made of them."""
