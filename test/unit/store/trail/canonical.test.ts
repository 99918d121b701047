import {
  array,
  assert,
  boolean,
  constantFrom,
  double,
  letrec,
  oneof,
  property,
  string,
  tuple,
} from 'fast-check';
import { expect, test } from 'vitest';
import { canonicalJson } from '#core/store/trail/canonical.ts';
import { redactFields } from '#core/store/trail/redact.ts';

/** Value of JSON, its objects as their fields in the order in which they were set. */
type Model = string | number | boolean | null | undefined | readonly Model[] | Fields;
class Fields {
  readonly all: readonly (readonly [string, Model])[];
  constructor(all: readonly (readonly [string, Model])[]) {
    this.all = [...new Map(all)];
  }
}

const name = oneof(
  string({ maxLength: 3, unit: 'binary' }),
  constantFrom('a', 'b', 'aa', 'B', '9', '10', '', '__proto__', '\ud800', 'é', '😀', '\uffff'),
);
const leaf = oneof(
  string({ maxLength: 4, unit: 'binary' }),
  double(),
  boolean(),
  constantFrom(null, undefined, -0, 1e21, '\ud800', '"\\\n'),
);
const { tree } = letrec<{ readonly tree: Model }>((tie) => ({
  tree: oneof(
    { maxDepth: 3 },
    leaf,
    array(tie('tree'), { maxLength: 3 }),
    array(tuple(name, tie('tree')), { maxLength: 5 }).map((all) => new Fields(all)),
  ),
}));

test('every value has the one form of RFC 8785, in whatever order its fields were set', () => {
  assert(
    property(tree, (value) => {
      expect(canonicalJson(valueOf(value))).toBe(textOf(value));
    }),
    { numRuns: 2000 },
  );
});

test('what is redacted keeps its fields, whatever their names', () => {
  assert(
    property(tree, (value) => {
      const told = redactFields({ value: valueOf(value) });
      expect(canonicalJson(told)).toBe(canonicalJson({ value: valueOf(value) }));
    }),
    { numRuns: 2000 },
  );
});

function valueOf(model: Model): unknown {
  if (Array.isArray(model)) return (model as readonly Model[]).map(valueOf);
  if (!(model instanceof Fields)) return model;
  return Object.fromEntries(model.all.map(([field, inner]) => [field, valueOf(inner)]));
}

/** By the rule alone: no blanks, names by their code units, fields without a value left out. */
function textOf(model: Model): string {
  if (Array.isArray(model)) return `[${(model as readonly Model[]).map(textOf).join(',')}]`;
  if (!(model instanceof Fields)) return JSON.stringify(model) ?? 'null';
  const fields = model.all
    .filter(([, inner]) => inner !== undefined)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([field, inner]) => `${JSON.stringify(field)}:${textOf(inner)}`);
  return `{${fields.join(',')}}`;
}
