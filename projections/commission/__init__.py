"""Commission on Banker winnings: what each stay owes, the proof, the forms."""
