/**
 * Cipher suites of HTTPS. Named, because the desktop app runs on BoringSSL and the service alone on OpenSSL, whose defaults
 * differ: a device that reaches one must reach the other. Both know all of these; the server's own key is ECDSA
 * (certificates.ts). The last two are for devices without GCM. Source: RFC 8446, appendix B.4; RFC 8422; BoringSSL,
 * ssl/ssl_cipher.cc.
 */
export const TLS_SUITES: readonly string[] = [
  'TLS_AES_128_GCM_SHA256',
  'TLS_AES_256_GCM_SHA384',
  'TLS_CHACHA20_POLY1305_SHA256',
  'ECDHE-ECDSA-AES128-GCM-SHA256',
  'ECDHE-ECDSA-AES256-GCM-SHA384',
  'ECDHE-ECDSA-CHACHA20-POLY1305',
  'ECDHE-ECDSA-AES128-SHA',
  'ECDHE-ECDSA-AES256-SHA',
];

/** The same for a given certificate (given-tls.ts) whose key is RSA; with another key they are never agreed on. */
const RSA_SUITES: readonly string[] = TLS_SUITES.filter((suite) => suite.includes('ECDSA')).map((suite) =>
  suite.replace('ECDSA', 'RSA'),
);

/** Options of Node's TLS servers, and of each new certificate: a new context loses those of the last one. */
export const TLS_OPTIONS = {
  ciphers: [...TLS_SUITES, ...RSA_SUITES].join(':'),
  minVersion: 'TLSv1.2',
} as const;
