import type { PagePlace } from '../api/call.ts';

/** Names and values in turn, as Node writes them out without another look. */
export type RawHeaders = readonly string[];

/** Characters of a `Link`: clients stop at 16 KiB of headers, and some much earlier. */
const MAX_LINK = 4096;

/**
 * The headers of a page: `X-Total-Count`, and `Link` (RFC 8288) to the first, previous, next and last page where there
 * is one; too long a `Link` is left out. A link is the request's own target (RFC 9112, 3.2) with another page in it,
 * relative to the host: it holds on whichever door the request came in by, and asks for nothing that was not asked.
 */
export function pageHeaders(target: string, { page, limit, total }: PagePlace): RawHeaders {
  const lastPage = Math.max(1, Math.ceil(total / limit));
  const { path, query } = partsOf(target.startsWith('/') ? target : target.replace(ORIGIN, ''));
  const at = `<${path}?page=`;
  let rest = '';
  for (const field of query.split('&')) if (field !== '' && !isPage(field)) rest += `&${field}`;
  rest = rest.replace(NOT_IN_A_LINK, (character) => encodeURIComponent(character.toWellFormed()));
  let link = `${at}1${rest}>; rel="first", `;
  if (page > 1) link += `${at}${Math.min(page - 1, lastPage)}${rest}>; rel="prev", `;
  if (page < lastPage) link += `${at}${page + 1}${rest}>; rel="next", `;
  link += `${at}${lastPage}${rest}>; rel="last"`;
  const count = ['x-total-count', String(total)];
  if (link.length <= MAX_LINK) count.push('link', link);
  return count;
}

/** Of a target in absolute form. */
const ORIGIN = /^[^/?]+\/\/[^/?]*/;
/** The field of the page, however its name is escaped. */
const PAGE = /^(p|%70)(a|%61)(g|%67)(e|%65)(=|$)/;
/** Characters of no URI (RFC 3986, 2), such as the brackets around a link. */
const NOT_IN_A_LINK = /[^\w!#$%&'()*+,\-./:;=?@[\]~]/g;

/** What stands behind a "#" is none of either, and a "?" in the query is a character like others (RFC 3986, 3.4). */
function partsOf(target: string): { readonly path: string; readonly query: string } {
  const [whole = ''] = target.split('#', 1);
  const mark = whole.indexOf('?');
  return mark < 0 ? { path: whole, query: '' } : { path: whole.slice(0, mark), query: whole.slice(mark + 1) };
}

/** Whether a field is that of the page: a pattern for each would cost more than this look. */
function isPage(field: string): boolean {
  return field.startsWith('page=') || field === 'page' || (field.includes('%') && PAGE.test(field));
}
