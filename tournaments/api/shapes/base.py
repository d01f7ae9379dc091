"""What all answers are made of: words, names, pages."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

Shape = serializers.Serializer[Any]


class WordsShape(Shape):
    """A fact for people: a code and its parameters for programs, a sentence in the reader's language."""

    code = serializers.CharField()
    params = serializers.DictField()
    text = serializers.CharField()


class FieldErrorShape(Shape):
    """One thing that is wrong with what was sent, and where."""

    pointer = serializers.CharField(help_text="A JSON pointer into the body.")
    code = serializers.CharField()
    detail = serializers.CharField()


class NamedShape(Shape):
    """A player as every page names them: the same names told apart."""

    id = serializers.IntegerField(help_text="The entry.")
    name = serializers.CharField(source="display_name")


class CountShape(Shape):
    """How many were touched."""

    count = serializers.IntegerField()


class PageShape(Shape):
    """One page of a list in a stable order."""

    count = serializers.IntegerField()
    next = serializers.URLField(allow_null=True)
    previous = serializers.URLField(allow_null=True)
