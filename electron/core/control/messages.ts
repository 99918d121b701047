/*
 * What is asked at the socket of a data directory: HTTP, each answer an envelope (docs/api.md, "Control socket").
 */
export const CONTROL_PATHS = { status: '/status', open: '/open', stop: '/stop' } as const;

/** What `open` answers. */
export interface Opened {
  /** Whether the desktop app showed its window; the console's address is then null. */
  readonly window: boolean;
  /** The app in a browser: opens once, within ten minutes. */
  readonly console_url: string | null;
}
