type Handler = (request: Request) => Response | Promise<Response>;

interface Scheme {
  readonly scheme: string;
  readonly privileges?: {
    readonly standard?: boolean;
    readonly secure?: boolean;
    readonly supportFetchAPI?: boolean;
  };
}

/**
 * electron.protocol. Chromium knows no scheme of the app's, so a page at app://name/ lives at a name of its own under
 * a top-level domain that never exists (RFC 6761); the window's requests for it are answered here.
 */
export class Protocol {
  readonly #schemes = new Set<string>();
  readonly #fetchable = new Set<string>();
  readonly #handlers = new Map<string, Handler>();
  readonly #isReady: () => boolean;
  #registered = false;

  constructor(isReady: () => boolean) {
    this.#isReady = isReady;
  }

  registerSchemesAsPrivileged(schemes: readonly Scheme[]): void {
    if (this.#isReady())
      throw new Error('protocol.registerSchemesAsPrivileged should be called before app is ready');
    if (this.#registered) throw new Error('protocol.registerSchemesAsPrivileged can be called only once');
    this.#registered = true;
    for (const { scheme, privileges } of schemes) {
      if (!privileges?.standard || !privileges.secure)
        throw new Error(`The stand-in needs ${scheme}: standard and secure`);
      this.#schemes.add(scheme);
      if (privileges.supportFetchAPI) this.#fetchable.add(scheme);
    }
  }

  handle(scheme: string, handler: Handler): void {
    if (!this.#isReady()) throw new Error('protocol.handle should be called after app is ready');
    if (!this.#schemes.has(scheme))
      throw new Error(`The stand-in serves privileged schemes only, not ${scheme}:`);
    if (this.#handlers.has(scheme)) throw new Error(`Failed to register protocol: ${scheme}`);
    this.#handlers.set(scheme, handler);
  }

  /** Whether a page may ask for this URL of the app with fetch. */
  mayFetch(url: string): boolean {
    const scheme = new URL(url).protocol.slice(0, -1);
    return !this.#schemes.has(scheme) || this.#fetchable.has(scheme);
  }

  isProtocolHandled(scheme: string): boolean {
    return this.#handlers.has(scheme);
  }

  /** The URL under which Chromium has a URL of the app. */
  toChromium(url: string): string {
    const { protocol, host, pathname, search, hash } = new URL(url);
    const scheme = protocol.slice(0, -1);
    return this.#schemes.has(scheme) ? `https://${host}.${scheme}.invalid${pathname}${search}${hash}` : url;
  }

  /** And back. */
  fromChromium(url: string): string {
    const match = /^https:\/\/([^/]+)\.([a-z]+)\.invalid(\/.*)?$/.exec(url);
    const [, host, scheme, rest = ''] = match ?? [];
    return scheme !== undefined && this.#schemes.has(scheme) ? `${scheme}://${host}${rest}` : url;
  }

  /** The app's answer to a request for one of its URLs; null where no handler has the scheme. */
  async respond(url: string, method: string, headers: Record<string, string>): Promise<Response | null> {
    const handler = this.#handlers.get(new URL(url).protocol.slice(0, -1));
    return (await handler?.(new Request(url, { method, headers }))) ?? null;
  }
}
