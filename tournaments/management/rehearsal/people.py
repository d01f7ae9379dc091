"""Who takes part in a rehearsal: made-up names in several scripts, some of them twice."""

from __future__ import annotations

from random import Random

GIVEN = (
    *("Ada", "Bo", "Chloé", "Dag", "Ève", "Fritz", "Gül", "Håkon", "Ines", "Jürgen", "Łucja", "Siân", "Zoë", "O’Neil"),
    *("Анна", "Борис", "Ёлка", "Пётр", "Щука", "Юля", "Олександр", "Ђорђе"),
    *(
        "Ελένη",
        "Νίκος",
        "مريم",
        "يوسف",
        "נועה",
        "דוד",
        "李",
        "陈",
        "さくら",
        "ハン",
        "민준",
        "अनन्या",
        "สมชาย",
        "გიორგი",
    ),
)
FAMILY = (
    *("Vao", "Shan", "Onasi", "d’Arc", "Núñez-Groß", "van der Berg", "Ordo 🃏", "«Тень»", "Реван", "Иванова"),
    *("Παπάς", "الخطيب", "כהן", "小明", "やまだ", "김", "शर्मा", "ใจดี", "ბერიძე", "№3"),
)
CITIES = ("Riga", "Москва", "Helsinki", "Αθήνα", "القاهرة", "東京", "")
CLUBS = ("Кантина", "Taris", "Ondéron", "")
TWINS = 5  # one row in so many has the name of the row before


def roster(*, size: int, seed: int) -> list[dict[str, str]]:
    """Rows of a list to import, the same for a seed; addresses tell the same names apart."""
    rng = Random(f"people {seed}")  # noqa: S311  a play, not a secret
    rows: list[dict[str, str]] = []
    for place in range(size):
        name = f"{rng.choice(GIVEN)} {rng.choice(FAMILY)}"
        rows.append(
            {
                "name": rows[-1]["name"] if place % TWINS == TWINS - 1 else name,
                "email": f"rehearsal-{seed}-{place}@example.org",
                "city": rng.choice(CITIES),
                "club": rng.choice(CLUBS),
                "rating": "" if rng.random() < 0.25 else str(rng.randint(900, 2100)),
            }
        )
    return rows
