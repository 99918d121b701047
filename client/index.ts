export { createClient } from './client.ts';
export { FieldbenchError } from './error.ts';
export { startService } from './service.ts';
