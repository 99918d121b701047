import { parseSync } from '@swc/core';

/*
 * Calls of a RecordStore and of its threads in a source text, found in its syntax tree: whatever the store is called there, and
 * whether its methods are called, taken out of it or handed on.
 */

/** Methods that read records. */
const READS = new Set([
  'page',
  'columns',
  'scan',
  'count',
  'countWith',
  'within',
  'keys',
  'summary',
  'extents',
  'latest',
  'series',
  'intervals',
  'readings',
  'snapshot',
  'anySnapshot',
]);
/** What a store, or its threads, are called where they come from elsewhere. */
const NAMES = ['records', 'store', 'threadWork'];
const TYPES = new Set(['RecordStore', 'ThreadWork']);

type Tree = Readonly<Record<string, unknown>>;

const isTree = (value: unknown): value is Tree =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Every part of a tree, itself first. */
function* partsOf(value: unknown): Generator<Tree> {
  if (Array.isArray(value)) for (const each of value) yield* partsOf(each);
  if (!isTree(value)) return;
  yield value;
  for (const each of Object.values(value)) yield* partsOf(each);
}

/** What an expression, a key or a pattern is called: the last name of it. */
function nameOf(value: unknown): string | null {
  if (!isTree(value)) return null;
  switch (value['type']) {
    case 'Identifier':
    case 'StringLiteral':
    case 'PrivateName':
      return String(value['value']);
    case 'MemberExpression':
      return nameOf(value['property']);
    case 'Computed':
    case 'ParenthesisExpression':
    case 'TsNonNullExpression':
    case 'TsAsExpression':
      return nameOf(value['expression']);
    case 'OptionalChainingExpression':
      return nameOf(value['base']);
    case 'AssignmentPatternProperty':
    case 'KeyValuePatternProperty':
    case 'ClassProperty':
    case 'PrivateProperty':
    case 'TsPropertySignature':
      return nameOf(value['key']);
    case 'AssignmentPattern':
      return nameOf(value['left']);
    case 'TsParameterProperty':
      return nameOf(value['param']);
    default:
      return null;
  }
}

/** Whether a type is that of a store or its threads, some of their methods, or what a context has as its records. */
function isStore(type: unknown): boolean {
  if (!isTree(type)) return false;
  switch (type['type']) {
    case 'TsTypeAnnotation':
    case 'TsParenthesizedType':
      return isStore(type['typeAnnotation']);
    case 'TsUnionType':
    case 'TsIntersectionType':
      return (type['types'] as readonly unknown[]).some(isStore);
    case 'TsTypeReference': {
      const [first] = isTree(type['typeParams']) ? (type['typeParams']['params'] as readonly unknown[]) : [];
      return TYPES.has(nameOf(type['typeName']) ?? '') || isStore(first);
    }
    case 'TsIndexedAccessType': {
      const { indexType } = type;
      return isTree(indexType) && NAMES.includes(nameOf(indexType['literal']) ?? '');
    }
    default:
      return false;
  }
}

/** Names of stores in a file: those that all have, those with such a type, and what is set to one of them. */
function storesIn(parts: readonly Tree[]): ReadonlySet<string> {
  const found = new Set(NAMES);
  for (const part of parts) {
    const name = nameOf(part);
    if (name !== null && isStore(part['typeAnnotation'])) found.add(name);
  }
  for (let before = 0; before !== found.size;) {
    before = found.size;
    for (const { type, id, init, key, value, left, right } of parts) {
      const [to, from] =
        type === 'VariableDeclarator'
          ? [id, init]
          : type === 'KeyValuePatternProperty'
            ? [value, key]
            : type === 'AssignmentExpression'
              ? [left, right]
              : [null, null];
      const [name, of] = [nameOf(to), nameOf(from)];
      if (name !== null && of !== null && found.has(of)) found.add(name);
    }
  }
  return found;
}

/** Returns each read in the order of the text, as `page(first argument)`; `page` where it is not called there. */
export function readsIn(text: string): string[] {
  // A statement before it: offsets count on from one text to the next, and a tree begins behind comments.
  const source = `0;${text.replace(/^#!.*/, '')}`;
  const bytes = Buffer.from(source);
  const tree = parseSync(source, { syntax: 'typescript', target: 'esnext' });
  const begin = tree.span.start;
  const parts = [...partsOf(tree)];
  const stores = storesIn(parts);
  const textOf = (value: unknown) => {
    const { start, end } = (value as { span: { start: number; end: number } }).span;
    return bytes
      .subarray(start - begin, end - begin)
      .toString()
      .replaceAll(/\s+/g, ' ');
  };
  const called = new Map<unknown, string>();
  const found: string[] = [];
  for (const part of parts) {
    const { type } = part;
    if (type === 'CallExpression') {
      const [first] = part['arguments'] as readonly { readonly expression: unknown }[];
      const { callee } = part;
      const isOptional = isTree(callee) && callee['type'] === 'OptionalChainingExpression';
      called.set(isOptional ? callee['base'] : callee, `(${first ? textOf(first.expression) : ''})`);
    } else if (type === 'MemberExpression') {
      const [method, store] = [nameOf(part['property']), nameOf(part['object'])];
      if (method !== null && store !== null && READS.has(method) && stores.has(store))
        found.push(`${method}${called.get(part) ?? ''}`);
    } else if (type === 'ObjectPattern') {
      if (isStore(part['typeAnnotation'])) found.push(...takenBy(part));
    } else if (type === 'VariableDeclarator' || type === 'KeyValuePatternProperty') {
      const [pattern, from] =
        type === 'VariableDeclarator' ? [part['id'], part['init']] : [part['value'], part['key']];
      const store = nameOf(from);
      if (store !== null && stores.has(store)) found.push(...takenBy(pattern));
    }
  }
  return found;
}

/** Methods that a pattern takes out of a store. */
function takenBy(pattern: unknown): string[] {
  if (!isTree(pattern) || pattern['type'] !== 'ObjectPattern') return [];
  const names = (pattern['properties'] as readonly unknown[]).map(nameOf);
  return names.filter((name) => name !== null && READS.has(name)).map(String);
}
