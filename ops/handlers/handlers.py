"""Which function handles which command: one for each class of the vocabulary.

A handler's module is imported when its first command comes: a one-shot `bet` would wait a third
longer for those of slips, staff, disputes and alerts.
"""

from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Any

from ops.commands import vocabulary as commands
from ops.handlers.desk import Desk

Handler = Callable[[Desk, Any], None]

HANDLERS: Mapping[type[commands.Command], str] = {
    commands.TableOpen: "table.open_table",
    commands.TableLimits: "table.limit",
    commands.TableDealer: "table.relieve_dealer",
    commands.TableSupervisor: "table.relieve_supervisor",
    commands.TableDrop: "table.count_drop",
    commands.TableClose: "table.close",
    commands.TableRollOver: "table.roll_over",
    commands.TableSeat: "seats.seat",
    commands.TableSeats: "seats.seat_several",
    commands.TableMove: "seats.move",
    commands.TableLeave: "seats.leave",
    commands.TableBuyIn: "seats.buy_in",
    commands.TableCashOut: "seats.cash_out",
    commands.TableFill: "slips.fill",
    commands.TableCredit: "slips.credit",
    commands.SlipRequest: "slips.request",
    commands.SlipIssue: "slips.issue",
    commands.SlipCarry: "slips.carry",
    commands.SlipReceive: "slips.receive",
    commands.SlipVoid: "slips.void",
    commands.ShoeLoad: "shoe.load",
    commands.ShoeInspect: "shoe.inspect",
    commands.ShoeShuffle: "shoe.shuffle",
    commands.ShoeCut: "shoe.cut",
    commands.ShoeBurn: "shoe.burn",
    commands.ShoePass: "shoe.pass_shoe",
    commands.ShoeCutCard: "shoe.show_cut_card",
    commands.ShoeMisdraw: "shoe.misdraw",
    commands.ShoeDiscard: "shoe.discard",
    commands.ShoeEnd: "shoe.end",
    commands.ShoeReconcile: "shoe.reconcile",
    commands.CoupOpen: "coup.open_coup",
    commands.Bet: "coup.bet",
    commands.Bets: "coup.bets",
    commands.Withdraw: "coup.withdraw",
    commands.NoMoreBets: "coup.close_betting",
    commands.Draw: "coup.draw",
    commands.MoveCard: "coup.move_card",
    commands.Reveal: "coup.reveal",
    commands.Settle: "coup.settle",
    commands.CoupVoid: "corrections.void",
    commands.CoupCorrect: "corrections.correct",
    commands.Readjudicate: "corrections.readjudicate",
    commands.CommissionCollect: "commission.collect",
    commands.CommissionTiming: "commission.choose_timing",
    commands.CommissionWaive: "commission.waive",
    commands.CommissionWalked: "commission.walk",
    commands.CommissionReceipt: "commission.print_receipt",
    commands.DisputeOpen: "disputes.open_case",
    commands.DisputeNote: "disputes.note",
    commands.DisputeDecide: "disputes.decide_case",
    commands.DisputeTell: "disputes.tell",
    commands.DisputeNotify: "disputes.notify",
    commands.DisputeHold: "disputes.hold",
    commands.DisputeRelease: "disputes.release",
    commands.DisputeExport: "disputes.export",
    commands.DisputeClose: "disputes.close",
    commands.AlertAcknowledge: "alerts.acknowledge",
    commands.PatronIdentify: "patrons.identify",
    commands.PatronBar: "patrons.bar",
    commands.PatronUnbar: "patrons.unbar",
    commands.PropertySet: "house.set_property",
    commands.RulesApprove: "house.approve_rules",
    commands.StaffEnrol: "staff.enrol",
    commands.StaffSignOn: "staff.sign_on",
    commands.StaffSignOff: "staff.sign_off",
    commands.StaffChangePin: "staff.change_pin",
    commands.StaffRetire: "staff.retire",
    commands.StaffRecover: "staff.recover",
    commands.StaffNewSecret: "staff.renew_secret",
}


def handler_of(kind: type[commands.Command]) -> Handler:
    """The function that handles a command of this class."""
    module, _, name = HANDLERS[kind].partition(".")
    handler: Handler = getattr(import_module(f"ops.handlers.{module}"), name)
    return handler
