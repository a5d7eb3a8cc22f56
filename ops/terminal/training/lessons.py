"""What each rule says, in one sentence a new dealer knows by heart; odds are the rule set's."""

LESSONS = {
    "R-CARD-1": "An ace counts 1, ten and faces count 0, every other card what it shows.",
    "R-CARD-2": "A hand counts the sum of its cards, without the tens.",
    "R-CARD-3": "A shoe has each card once for every deck, and never once more.",
    "R-DEAL-1": "Cards go Player, Banker, Player, Banker, then third cards where they are due.",
    "R-DEAL-2": "Once the first card is out, no wager is placed, moved or taken back; "
    "what lies on the layout is entered before.",
    "R-DRAW-1": "With 8 or 9 on two cards, on either hand, nobody draws.",
    "R-DRAW-2": "Player draws on 0 to 5 and stands on 6 and 7.",
    "R-DRAW-3": "When Player stood, Banker draws on 0 to 5 and stands on 6 and 7.",
    "R-DRAW-4": "When Player drew, Player's third card decides: Banker always draws on 0 to 2, "
    "on 3 unless it is an 8, on 4 if it is 2 to 7, on 5 if it is 4 to 7, on 6 if it is 6 or 7, "
    "and never on 7.",
    "R-WIN-1": "The hand nearer to 9 wins; equal totals are a Tie.",
    "R-BET-1": "A seat has Player or Banker, never both; a Tie goes with either.",
    "R-BET-2": "Only the spots of the layout are bet on, each within limits of its own.",
    "R-BET-3": "A wager is a multiple of the increment, within minimum and maximum; "
    "a Tie alone meets the table minimum.",
    "R-BET-4": "All Player and all Banker money may be only so far apart when betting closes.",
    "R-PAY-1": "Player pays 1 to 1, Banker 1 to 1 less commission or at its own odds, a Tie as the "
    "layout says; on a Tie, Player and Banker wagers are returned.",
    "R-PAY-2": "The Dragon Bonus pays a natural win, and another by enough points, the more the "
    "better; a natural Tie returns it.",
    "R-PAY-3": "A pair bet pays when the hand's first two cards are of one rank.",
    "R-PAY-4": "Where no commission is taken, some Banker wins pay less, and Dragon 7, Panda 8 "
    "and Lucky 6 pay by the winning hand.",
    "R-COM-1": "Commission is a share of what a Banker wager won.",
    "R-COM-2": "Commission is taken as the Banker wager is paid, or owed until the patron leaves "
    "or the shoe ends; the rule set says which.",
    "R-COM-4": "Nobody leaves and no shoe ends while commission is owed.",
    "R-SHOE-1": "A shoe is loaded, inspected, shuffled, cut and burned, in this order; "
    "no step is left out.",
    "R-SHOE-2": "The first card is shown and burned, and as many more face down as it counts.",
    "R-IRR-1": "A card that came when none was due cannot go back into the shoe.",
    "R-IRR-2": "A card on the wrong hand goes to its own, if no other was drawn since.",
}
