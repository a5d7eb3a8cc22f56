"""Which function handles which command: one for each class of the vocabulary.

A handler's module is imported when its first command comes: a one-shot `bet` would wait a quarter
longer for those of slips, staff, disputes and alerts.
"""

from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Any

from ops.commands import (
    alerts,
    commission,
    corrections,
    coup,
    disputes,
    house,
    patrons,
    seats,
    shoe,
    slips,
    staff,
    table,
)
from ops.commands.command import Command
from ops.handlers.desk import Desk

Handler = Callable[[Desk, Any], None]

HANDLERS: Mapping[type[Command], str] = {
    table.TableOpen: "table.open_table",
    table.TableLimits: "table.limit",
    table.TableDealer: "table.relieve_dealer",
    table.TableSupervisor: "table.relieve_supervisor",
    table.TableDrop: "table.count_drop",
    table.TableClose: "table.close",
    table.TableRollOver: "table.roll_over",
    seats.TableSeat: "seats.seat",
    seats.TableSeats: "seats.seat_several",
    seats.TableMove: "seats.move",
    seats.TableLeave: "seats.leave",
    seats.TableBuyIn: "seats.buy_in",
    seats.TableCashOut: "seats.cash_out",
    slips.TableFill: "slips.fill",
    slips.TableCredit: "slips.credit",
    slips.SlipRequest: "slips.request",
    slips.SlipIssue: "slips.issue",
    slips.SlipCarry: "slips.carry",
    slips.SlipReceive: "slips.receive",
    slips.SlipVoid: "slips.void",
    shoe.ShoeLoad: "shoe.load",
    shoe.ShoeInspect: "shoe.inspect",
    shoe.ShoeShuffle: "shoe.shuffle",
    shoe.ShoeCut: "shoe.cut",
    shoe.ShoeBurn: "shoe.burn",
    shoe.ShoePass: "shoe.pass_shoe",
    shoe.ShoeCutCard: "shoe.show_cut_card",
    shoe.ShoeMisdraw: "shoe.misdraw",
    shoe.ShoeDiscard: "shoe.discard",
    shoe.ShoeEnd: "shoe.end",
    shoe.ShoeReconcile: "shoe.reconcile",
    coup.CoupOpen: "coup.open_coup",
    coup.Bet: "coup.bet",
    coup.Bets: "coup.bets",
    coup.Withdraw: "coup.withdraw",
    coup.NoMoreBets: "coup.close_betting",
    coup.Draw: "coup.draw",
    coup.MoveCard: "coup.move_card",
    coup.Reveal: "coup.reveal",
    coup.Settle: "coup.settle",
    corrections.CoupVoid: "corrections.void",
    corrections.CoupCorrect: "corrections.correct",
    corrections.Readjudicate: "corrections.readjudicate",
    commission.CommissionCollect: "commission.collect",
    commission.CommissionTiming: "commission.choose_timing",
    commission.CommissionWaive: "commission.waive",
    commission.CommissionWalked: "commission.walk",
    commission.CommissionReceipt: "commission.print_receipt",
    disputes.DisputeOpen: "disputes.open_case",
    disputes.DisputeNote: "disputes.note",
    disputes.DisputeDecide: "disputes.decide_case",
    disputes.DisputeTell: "disputes.tell",
    disputes.DisputeNotify: "disputes.notify",
    disputes.DisputeHold: "disputes.hold",
    disputes.DisputeRelease: "disputes.release",
    disputes.DisputeExport: "disputes.export",
    disputes.DisputeClose: "disputes.close",
    alerts.AlertAcknowledge: "alerts.acknowledge",
    patrons.PatronIdentify: "patrons.identify",
    patrons.PatronBar: "patrons.bar",
    patrons.PatronUnbar: "patrons.unbar",
    house.PropertySet: "house.set_property",
    house.RulesApprove: "house.approve_rules",
    staff.StaffEnrol: "staff.enrol",
    staff.StaffSignOn: "staff.sign_on",
    staff.StaffSignOff: "staff.sign_off",
    staff.StaffChangePin: "staff.change_pin",
    staff.StaffRetire: "staff.retire",
    staff.StaffRecover: "staff.recover",
    staff.StaffNewSecret: "staff.renew_secret",
}


def handler_of(kind: type[Command]) -> Handler:
    """The function that handles a command of this class."""
    module, _, name = HANDLERS[kind].partition(".")
    handler: Handler = getattr(import_module(f"ops.handlers.{module}"), name)
    return handler
