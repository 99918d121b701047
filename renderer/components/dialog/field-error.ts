/** The error when it speaks of this field: the service's messages begin with the field's name. */
export function errorOf(error: string | null, field: string): string | null {
  return error?.startsWith(`${field} `) || error?.startsWith(`${field}.`) ? error : null;
}
