/** Characters of a `Link`: clients stop at 16 KiB of headers, and some much earlier. */
const MAX_LINK = 4096;

/**
 * The headers of a page: `X-Total-Count`, and `Link` (RFC 8288) to the first, previous, next and last page where there
 * is one; too long a `Link` is left out. Links are relative to the host, so they hold on whichever door the request
 * came in by.
 */
export function pageHeaders(
  path: string,
  query: Readonly<Record<string, string>>,
  { page, limit, total }: { readonly page: number; readonly limit: number; readonly total: number },
): Record<string, string> {
  const lastPage = Math.max(1, Math.ceil(total / limit));
  let rest = `&limit=${limit}`;
  for (const name in query) rest += `&${name}=${encodeURIComponent(query[name]!.toWellFormed())}`;
  const at = `<${path}?page=`;
  let link = `${at}1${rest}>; rel="first", `;
  if (page > 1) link += `${at}${Math.min(page - 1, lastPage)}${rest}>; rel="prev", `;
  if (page < lastPage) link += `${at}${page + 1}${rest}>; rel="next", `;
  link += `${at}${lastPage}${rest}>; rel="last"`;
  const count = { 'x-total-count': String(total) };
  return link.length > MAX_LINK ? count : { ...count, link };
}
