/*
 * What is asked at the socket of a data directory: HTTP, each answer an envelope but an export (docs/api.md, "Control socket").
 */
export const CONTROL_PATHS = {
  status: '/status',
  open: '/open',
  stop: '/stop',
  export: '/export',
} as const;

/** What stands before the bytes of an export: the name of its file, and where they begin and it ends. */
export const EXPORT_HEADERS = {
  name: 'x-file-name',
  from: 'x-from',
  /** Of a rest alone. */
  total: 'x-total',
} as const;

/** What `open` answers. */
export interface Opened {
  /** Whether the desktop app showed its window; the console's address is then null. */
  readonly window: boolean;
  /** The app in a browser: opens once, within ten minutes. */
  readonly console_url: string | null;
}
