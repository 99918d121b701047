/**
 * The headers of a page: `X-Total-Count`, and `Link` (RFC 8288) to the first, previous, next and last page where there
 * is one. Links are relative to the host, so they hold on whichever door the request came in by.
 */
export function pageHeaders(
  path: string,
  query: Readonly<Record<string, string>>,
  { page, limit, total }: { readonly page: number; readonly limit: number; readonly total: number },
): Record<string, string> {
  const lastPage = Math.max(1, Math.ceil(total / limit));
  let rest = `&limit=${limit}`;
  for (const name in query) rest += `&${name}=${encodeURIComponent(query[name]!)}`;
  const at = `<${path}?page=`;
  let link = `${at}1${rest}>; rel="first", `;
  if (page > 1) link += `${at}${Math.min(page - 1, lastPage)}${rest}>; rel="prev", `;
  if (page < lastPage) link += `${at}${page + 1}${rest}>; rel="next", `;
  link += `${at}${lastPage}${rest}>; rel="last"`;
  return { 'x-total-count': String(total), link };
}
