"""From records to what the paper shows: tables first."""
