import { cameTooLate, unlessTooLate, type Session as CdpSession } from './chromium.ts';
import type { Protocol } from './protocol.ts';
import { addressOf, isSaved } from './streams.ts';

interface Paused {
  readonly requestId: string;
  readonly request: { readonly url: string; readonly method: string; readonly headers: object };
  readonly resourceType: string;
  readonly frameId: string;
}

/** Has the app's protocol answer what a page asks for, where its guards let it. */
export function answerRequests(
  page: CdpSession,
  protocol: Protocol,
  on: {
    /** Whether a navigation of a frame to this URL is refused. */
    readonly isRefused: (url: string, frameId: string) => boolean;
    readonly isGone: () => boolean;
  },
): void {
  page.on('Fetch.requestPaused', (paused) => void answer(paused));

  async function answer({ requestId, request, resourceType, frameId }: Paused): Promise<void> {
    const url = protocol.fromChromium(request.url);
    try {
      const isFetch = resourceType === 'Fetch' || resourceType === 'XHR';
      // A download is a document here, too, and no navigation: every one of those has this header.
      const isNavigation = resourceType === 'Document' && 'Upgrade-Insecure-Requests' in request.headers;
      const isRefused = isNavigation ? on.isRefused(url, frameId) : isFetch && !protocol.mayFetch(url);
      if (isRefused) {
        await page.send('Fetch.failRequest', { requestId, errorReason: 'Aborted' });
        return;
      }
      const response = await protocol.respond(url, request.method, request.headers as never);
      if (!response) {
        await page.send('Fetch.continueRequest', { requestId });
        return;
      }
      if (isSaved(response)) {
        await page.send('Fetch.continueRequest', { requestId, url: await addressOf(response) });
        return;
      }
      await page.send('Fetch.fulfillRequest', {
        requestId,
        responseCode: response.status,
        responseHeaders: Array.from(response.headers, ([name, value]) => ({ name, value })),
        body: Buffer.from(await response.arrayBuffer()).toString('base64'),
      });
    } catch (error) {
      if (on.isGone() || cameTooLate(error)) return;
      process.stderr.write(`protocol handler: ${String(error)}\n`);
      await page.send('Fetch.failRequest', { requestId, errorReason: 'Failed' }).catch(unlessTooLate);
    }
  }
}
