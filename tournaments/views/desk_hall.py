"""The hall on the desk: rooms and tables of an event, where a match sits, and where a player has to."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.utils import timezone
from django.utils.html import format_html
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_POST, require_safe

from players.permissions import Actor, Refused
from players.words import person
from tournaments.actions import hall
from tournaments.forms.hall import FixedTableForm, MoveForm, RoomForm, TableForm, TablesForm
from tournaments.models import Event, Pairing, Room, Table, Tournament
from tournaments.queries.hall import hall_page, misses_fixed, row_of
from tournaments.queries.stages import round_names
from tournaments.queries.tables import is_closed_match, pairing_at
from tournaments.views.access import for_event, for_tournament
from tournaments.views.desk_page import event_frame, page, refuse, tournament_frame
from tournaments.views.desk_results import results_page
from tournaments.views.desk_roster import entry_of, entry_page
from tournaments.views.moving import carry_out, move_again, move_form, moved_text
from tournaments.words.hall import numbers_text


@require_safe
@for_event("edit_hall")
def show(request: HttpRequest, event: Event, actor: Actor) -> HttpResponse:
    """Every room and table, who sits there and who waits for one."""
    return _hall(request, event)


def _hall(
    request: HttpRequest,
    event: Event,
    *,
    tables: TablesForm | None = None,
    room: RoomForm | None = None,
    status: int = 200,
) -> HttpResponse:
    context = {
        **event_frame(event=event, here="tables"),
        "hall": hall_page(event=event),
        "tables_form": tables or TablesForm(event=event),
        "room_form": room or RoomForm(),
    }
    return page(request, "tournaments/desk/hall.html", context, status=status)


@require_POST
@for_event("edit_hall")
def tables_add(request: HttpRequest, event: Event, actor: Actor) -> HttpResponse:
    """Tables are put up, many at once."""
    form = TablesForm(request.POST, event=event)
    if not form.is_valid():
        return _hall(request, event, tables=form, status=400)
    outcome = hall.add_tables(
        event_id=event.pk, numbers=form.cleaned_data["numbers"], room_id=form.room_id, by=actor, now=timezone.now()
    )
    if isinstance(outcome, Refused):
        refuse(request, outcome)
        return _hall(request, event, tables=form, status=outcome.status)
    told = ngettext("Table {numbers} stands.", "Tables {numbers} stand.", len(outcome))
    messages.success(request, told.format(numbers=numbers_text(table.number for table in outcome)))
    return redirect("event_hall", event.pk)


@require_POST
@for_event("edit_hall")
def room_add(request: HttpRequest, event: Event, actor: Actor) -> HttpResponse:
    """A room is added."""
    form = RoomForm(request.POST)
    if not form.is_valid():
        return _hall(request, event, room=form, status=400)
    outcome = hall.add_room(event_id=event.pk, name=form.cleaned_data["name"], by=actor, now=timezone.now())
    if isinstance(outcome, Refused):
        refuse(request, outcome)
        return _hall(request, event, room=form, status=outcome.status)
    return redirect("event_hall", event.pk)


@for_event("edit_hall")
def room(request: HttpRequest, event: Event, actor: Actor, room_id: int) -> HttpResponse:
    """A room: another name, or away with it."""
    found = get_object_or_404(Room, pk=room_id, event=event)
    if request.method != "POST":
        return _room(request, found, RoomForm(name=found.name))
    form = RoomForm(request.POST)
    if not form.is_valid():
        return _room(request, found, form, status=400)
    outcome = hall.rename_room(room_id=found.pk, name=form.cleaned_data["name"], by=actor, now=timezone.now())
    if isinstance(outcome, Refused):
        refuse(request, outcome)
        return _room(request, found, form, status=outcome.status)
    return redirect("event_hall", event.pk)


def _room(request: HttpRequest, found: Room, form: RoomForm, *, status: int = 200) -> HttpResponse:
    context = {**event_frame(event=found.event, here="tables"), "room": found, "form": form}
    return page(request, "tournaments/desk/room.html", context, status=status)


@require_POST
@for_event("edit_hall")
def room_remove(request: HttpRequest, event: Event, actor: Actor, room_id: int) -> HttpResponse:
    """A room is no more; its tables stay."""
    found = get_object_or_404(Room, pk=room_id, event=event)
    hall.remove_room(room_id=found.pk, by=actor, now=timezone.now())
    return redirect("event_hall", event.pk)


@for_event("edit_hall")
def table(request: HttpRequest, event: Event, actor: Actor, table_id: int) -> HttpResponse:
    """A table: what it is called and kept for, whether it is in order, who sits there."""
    found = get_object_or_404(Table.objects.select_related("event"), pk=table_id, event=event)
    if request.method != "POST":
        return _table(request, found, TableForm(table=found))
    form = TableForm(request.POST, table=found)
    if not form.is_valid():
        return _table(request, found, form, status=400)
    said = form.cleaned_data
    outcome = hall.edit_table(
        table_id=found.pk,
        name=said["name"],
        purpose=said["purpose"],
        room_id=form.room_id,
        by=actor,
        now=timezone.now(),
    )
    if isinstance(outcome, Refused):
        refuse(request, outcome)
        return _table(request, found, form, status=outcome.status)
    return redirect("event_hall", event.pk)


def _table(request: HttpRequest, found: Table, form: TableForm, *, status: int = 200) -> HttpResponse:
    context = {**event_frame(event=found.event, here="tables"), "row": row_of(table=found), "form": form}
    return page(request, "tournaments/desk/table.html", context, status=status)


@require_POST
@for_event("edit_hall")
def table_out(request: HttpRequest, event: Event, actor: Actor, table_id: int) -> HttpResponse:
    """A table is out of use: broken, or kept free."""
    found = get_object_or_404(Table, pk=table_id, event=event)
    outcome = hall.take_table_out(table_id=found.pk, by=actor, now=timezone.now())
    return _done(request, event, outcome, _("Table {n} is out of use: no match gets it."), found)


@require_POST
@for_event("edit_hall")
def table_back(request: HttpRequest, event: Event, actor: Actor, table_id: int) -> HttpResponse:
    """A table is in use again."""
    found = get_object_or_404(Table, pk=table_id, event=event)
    outcome = hall.bring_table_back(table_id=found.pk, by=actor, now=timezone.now())
    return _done(request, event, outcome, _("Table {n} is in use again."), found)


@require_POST
@for_event("edit_hall")
def table_remove(request: HttpRequest, event: Event, actor: Actor, table_id: int) -> HttpResponse:
    """A table stands in the hall no more."""
    found = get_object_or_404(Table, pk=table_id, event=event)
    outcome = hall.remove_table(table_id=found.pk, by=actor, now=timezone.now())
    return _done(request, event, outcome, _("Table {n} is gone."), found)


def _done(request: HttpRequest, event: Event, outcome: Table | Refused | None, told: str, table: Table) -> HttpResponse:
    if isinstance(outcome, Refused):
        refuse(request, outcome)
        return _hall(request, event, status=outcome.status)
    messages.success(request, told.format(n=table.number))
    return redirect("event_hall", event.pk)


# --- Where a match sits, and where a player has to.


@for_tournament("move_match")
def move(request: HttpRequest, tournament: Tournament, actor: Actor, match_id: int) -> HttpResponse:
    """A match gets a table, goes to another one, or changes places."""
    here = replace(actor, tournament=tournament.pk)
    pairing = pairing_at(actor=here, event=tournament.event, match_id=match_id, act="move_match")
    if pairing is None or pairing.match is None:
        if not is_closed_match(actor=here, event=tournament.event, match_id=match_id):
            raise Http404
        refused = Refused("match_void", {"match": match_id})
        refuse(request, refused)
        return results_page(request, tournament, status=refused.status)
    if request.method != "POST":
        return _move(request, tournament, pairing, move_form(pairing=pairing, actor=actor))
    form = move_form(request.POST, pairing=pairing, actor=actor)
    if not form.is_valid():
        return _move(request, tournament, pairing, form, status=400)
    outcome = carry_out(form, pairing=pairing, actor=actor)
    if isinstance(outcome, Refused):
        refuse(request, outcome, tournament=tournament)
        again = move_again(request.POST, outcome, pairing=pairing, actor=actor)
        return _move(request, tournament, pairing, again, status=outcome.status)
    messages.success(request, moved_text(outcome))
    return redirect("results", tournament.pk)


def _move(
    request: HttpRequest, tournament: Tournament, pairing: Pairing, form: MoveForm, *, status: int = 200
) -> HttpResponse:
    frame = tournament_frame(request=request, tournament=tournament, here="results")
    number = pairing.round.number
    context: dict[str, Any] = {
        **frame,
        "pairing": pairing,
        "form": form,
        "misses": misses_fixed(pairing),
        "round_name": round_names(stage=frame["stage"], numbers=[number])[number],
    }
    return page(request, "tournaments/desk/move.html", context, status=status)


@require_POST
@for_tournament("edit_hall")
def fix_table(request: HttpRequest, tournament: Tournament, actor: Actor, entry_id: int) -> HttpResponse:
    """A player has to sit at one table, or may sit anywhere again."""
    entry = entry_of(tournament, entry_id)
    form = FixedTableForm(request.POST)
    if not form.is_valid():
        return entry_page(request, tournament, entry, fixed=form, status=400)
    outcome = hall.fix_table(entry_id=entry.pk, table=form.cleaned_data["table"], by=actor, now=timezone.now())
    if isinstance(outcome, Refused):
        refuse(request, outcome, tournament=tournament)
        return entry_page(request, tournament, entry, fixed=form, status=outcome.status)
    name = person(entry.staff_name)
    if outcome.fixed_table is None:
        messages.success(request, format_html(_("{name} may sit anywhere."), name=name))
    else:
        told = _("{name} sits at table {n} from the next round on.")
        messages.success(request, format_html(told, name=name, n=outcome.fixed_table))
    return redirect("entry_edit", tournament.pk, entry.pk)
