"""The log of acts refuses to be changed or removed, whoever asks: triggers on both databases."""

from django.db import migrations

SQLITE = {
    "forward": [
        """CREATE TRIGGER act_no_update BEFORE UPDATE ON players_act
           BEGIN SELECT RAISE(ABORT, 'the log of acts is append-only'); END""",
        """CREATE TRIGGER act_no_delete BEFORE DELETE ON players_act
           BEGIN SELECT RAISE(ABORT, 'the log of acts is append-only'); END""",
    ],
    "backward": ["DROP TRIGGER act_no_update", "DROP TRIGGER act_no_delete"],
}

POSTGRESQL = {
    "forward": [
        """CREATE FUNCTION players_act_is_append_only() RETURNS trigger LANGUAGE plpgsql AS $$
           BEGIN RAISE EXCEPTION 'the log of acts is append-only' USING errcode = 'restrict_violation'; END $$""",
        """CREATE TRIGGER act_no_change BEFORE UPDATE OR DELETE ON players_act
           FOR EACH ROW EXECUTE FUNCTION players_act_is_append_only()""",
        """CREATE TRIGGER act_no_truncate BEFORE TRUNCATE ON players_act
           FOR EACH STATEMENT EXECUTE FUNCTION players_act_is_append_only()""",
    ],
    "backward": [
        "DROP TRIGGER act_no_change ON players_act",
        "DROP TRIGGER act_no_truncate ON players_act",
        "DROP FUNCTION players_act_is_append_only()",
    ],
}


def _run(direction):
    def run(apps, schema_editor):
        statements = {"sqlite": SQLITE, "postgresql": POSTGRESQL}[schema_editor.connection.vendor]
        for statement in statements[direction]:
            schema_editor.execute(statement)

    return run


class Migration(migrations.Migration):
    dependencies = [("players", "0001_initial")]
    operations = [migrations.RunPython(_run("forward"), _run("backward"))]
