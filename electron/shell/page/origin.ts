export const APP_SCHEME = 'app';
export const APP_HOST = 'fieldbench';
/** Where the window's page lives. A scheme of our own has an origin, which file: has not, and needs no port. */
export const APP_ORIGIN = `${APP_SCHEME}://${APP_HOST}`;

/** Whether a URL is of the app's own page; of an origin, whether it is the app's. */
export const isAppUrl = (url: string) => url === APP_ORIGIN || url.startsWith(`${APP_ORIGIN}/`);
