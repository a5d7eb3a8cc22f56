-- Meters of spots (R-PROG-1), bets after the first four cards (R-BET-8), cards burned between
-- coups (R-SHOE-6), bets on several coups (R-BET-9), coupons (R-PROMO).

SET LOCAL ROLE sabot_owner;

INSERT INTO ledger.event_kinds VALUES
    ('coup.coupon-corrected'),
    ('coup.coupon-laid'),
    ('coup.coupon-returned'),
    ('coup.coupon-settled'),
    ('coup.coupon-withdrawn'),
    ('coup.meter-followed'),
    ('coup.second-bets-closed'),
    ('coup.second-bets-opened'),
    ('coup.wager-carried'),
    ('coup.wager-ran-out'),
    ('coup.wager-recounted'),
    ('coup.wager-undecided'),
    ('coupon.collected'),
    ('coupon.issued'),
    ('coupon.laid-on'),
    ('coupon.made-void'),
    ('coupon.refused-at'),
    ('coupon.went-back'),
    ('form-book.jackpot-form-issued'),
    ('meter-day.meter-moved'),
    ('meter-day.opened'),
    ('meter.day-begun'),
    ('meter.placed'),
    ('meter.point-fixed'),
    ('protection.begun'),
    ('protection.level-changed'),
    ('shoe.burn-left-out'),
    ('shoe.burned-between');
