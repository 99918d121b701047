import type { PostedMessage } from '#shared/bridge/wire.ts';
import type { Principal } from '../api/call.ts';
import type { Wire } from './flow.ts';
import type { Session } from './session.ts';

/**
 * Connects a window: what it posts goes to `receive`, what `post` gets goes to it. It may do and hear of what the principal
 * may, and nothing once the principal's key was revoked or has expired.
 */
export type OpenWindow = (
  principal: Principal,
  post: (message: PostedMessage) => void,
  wire?: Wire,
) => Session;
