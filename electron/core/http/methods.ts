/**
 * HEAD is GET without its body (RFC 9110, 9.3.2), which Node leaves out: one route has both. Those that Fastify would add take
 * a third of the time in which a door opens.
 */
export const GET_AND_HEAD = ['GET', 'HEAD'];
