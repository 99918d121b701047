/** The picture of a device that has none of its own: a small box with a sensor, an antenna and a light. */
export const DEFAULT_AVATAR = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 96 96" role="img" aria-label="Device">
  <rect width="96" height="96" rx="20" fill="#e7f0fa"/>
  <g fill="none" stroke="#1c5d99" stroke-width="4" stroke-linecap="round" stroke-linejoin="round">
    <path d="M33 36V22"/>
    <path d="M24.5 15.5a12 12 0 0 0 0 13M41.5 15.5a12 12 0 0 1 0 13"/>
    <rect x="20" y="36" width="56" height="42" rx="8" fill="#fff"/>
    <path d="M29 63h7l4-12 7 18 5-11 3 5h12"/>
    <path d="M32 78v5M64 78v5"/>
  </g>
  <circle cx="33" cy="22" r="4" fill="#1c5d99"/>
  <circle cx="66" cy="46" r="3.5" fill="#2f9e44"/>
</svg>
`;

export const AVATAR_HEADERS = {
  'content-type': 'image/svg+xml; charset=utf-8',
  'cache-control': 'public, max-age=86400',
  'x-content-type-options': 'nosniff',
  'content-security-policy': "default-src 'none'",
} as const;
