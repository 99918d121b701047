import type { WebContents, WebFrameMain } from 'electron';
import type { Logger } from '#core/logger.ts';
import type { Service } from '#core/service.ts';
import { CHANNEL } from './channel.ts';
import { isAppUrl } from './origin.ts';

/** What a window needs of the service. */
export type WindowService = Pick<Service, 'owner' | 'openWindow'>;

/** Connects a window's page to the service, until the window is gone. A page that is loaded anew starts afresh. */
export function connectPage(contents: WebContents, service: WindowService, log: Logger): void {
  const open = () =>
    service.openWindow(service.owner, (message) => {
      if (!contents.isDestroyed()) contents.send(CHANNEL, message);
    });
  let session = open();

  contents.ipc.on(CHANNEL, (event, message: unknown) => {
    if (isOurPage(event.senderFrame, contents)) session.receive(message);
    else log.warn(`A message from ${event.senderFrame?.url ?? 'a frame that is gone'} was ignored.`);
  });
  contents.on('did-start-navigation', ({ isMainFrame, isSameDocument }) => {
    if (!isMainFrame || isSameDocument) return;
    session.close();
    session = open();
  });
  contents.once('destroyed', () => session.close());
}

/** The one sender check: the window's own main frame, showing the app's own page. */
function isOurPage(frame: WebFrameMain | null, contents: WebContents): boolean {
  return frame !== null && frame === contents.mainFrame && isAppUrl(frame.url);
}
