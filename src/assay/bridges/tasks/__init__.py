"""Files that are copied into exported folders as they are; they import the programs they are for."""
