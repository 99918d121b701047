const PARAMETER = /:([a-z_]+)/g;

/** The names of a path's parameters, in order: `/v2/projects/:project_id` has `project_id`. */
export function parametersOf(path: string): string[] {
  return [...path.matchAll(PARAMETER)].map(([, name]) => name!);
}

/** The path with something in place of each parameter. */
export function fillPath(path: string, valueOf: (name: string) => string): string {
  return path.replaceAll(PARAMETER, (_, name: string) => valueOf(name));
}

/** The path with the fields of an input that it names in their places, encoded, and the others; what is undefined is in neither. */
export function addressOf(
  path: string,
  input: object,
): { readonly path: string; readonly rest: Readonly<Record<string, unknown>> } {
  const rest = Object.fromEntries(Object.entries(input).filter(([, value]) => value !== undefined));
  const filled = fillPath(path, (name) => {
    const value = String(rest[name]);
    delete rest[name];
    return encodeURIComponent(value);
  });
  return { path: filled, rest };
}

/** The same path with fields as its query. */
export function withQuery(path: string, fields: Readonly<Record<string, unknown>>): string {
  const query = Object.entries(fields)
    .map((field) => field.map((part) => encodeURIComponent(String(part))).join('='))
    .join('&');
  return query === '' ? path : `${path}?${query}`;
}
