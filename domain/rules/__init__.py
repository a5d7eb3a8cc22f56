"""The rules of record as values and functions: cards, tableau, wagers, money, layout, roads.

Pure: knows no aggregate and no event. A rule set is data (`house_rules`); whatever the floor
refuses, and in which words, is in `refusals`.
"""
