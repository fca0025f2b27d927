"""Text from templates, at random.

A template is text with parts in braces: {a,b,c} is one of these words (of {,a} one may be empty), {3..31} a number in that
range, {name} what the rule `name` gives, and {{ and }} are braces. A rule is a list of templates, or
a function without arguments; a list gives each of its templates as often as any other.
"""
import re

PART = re.compile(r'\{\{|\}\}|\{([^{}]*)\}')
RANGE = re.compile(r'^(-?\d+)\.\.(-?\d+)$')


class Grammar:
    def __init__(self, random, rules):
        self.random = random
        self.rules = dict(rules)

    def chance(self, probability):
        return self.random.random() < probability

    def number(self, low, high):
        return self.random.randint(low, high)

    def pick(self, things):
        return self.random.choice(things)

    def rule(self, name):
        rule = self.rules[name]
        return rule() if callable(rule) else self.expand(self.pick(rule))

    def expand(self, template):
        return PART.sub(self._part, template)

    def _part(self, match):
        inside = match.group(1)
        if inside is None:
            return match.group(0)[0]
        if inside in self.rules:
            return self.rule(inside)
        bounds = RANGE.match(inside)
        if bounds:
            return str(self.number(int(bounds.group(1)), int(bounds.group(2))))
        words = inside.split(',')
        if len(words) == 1:
            raise ValueError(f'no rule {inside!r}')
        return self.pick(words)
