import type * as NodeHttp from 'node:http';
import { createRequire } from 'node:module';

/*
 * The part of node:http that is used. An `import` of it reads all that it exports, and reading `WebSocket` there loads Node's undici, a
 * tenth of a start (Node 24, lib/http.js: `lazyUndici`); `require` reads nothing.
 */
const http = createRequire(import.meta.url)('node:http') as typeof NodeHttp;

export const { Agent, createServer, request, ServerResponse, STATUS_CODES } = http;
