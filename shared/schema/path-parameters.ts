const PARAMETER = /:([a-z_]+)/g;

/** The names of a path's parameters, in order: `/v2/projects/:project_id` has `project_id`. */
export function parametersOf(path: string): string[] {
  return [...path.matchAll(PARAMETER)].map(([, name]) => name!);
}

/** The path with something in place of each parameter. */
export function fillPath(path: string, valueOf: (name: string) => string): string {
  return path.replaceAll(PARAMETER, (_, name: string) => valueOf(name));
}
