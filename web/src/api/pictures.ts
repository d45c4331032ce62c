// Pictures that people uploaded: asked for once by their path, shown as data.
import { useQuery } from '@tanstack/react-query';
import { call } from './call';

/** Asks for a picture. */
export function useAskedPicture(path: string | null | undefined) {
  return useQuery({
    queryKey: ['picture', path],
    queryFn: async ({ signal }) => dataAddress(await call('get', '/api/file/byte/array', { query: { path: path ?? '' }, signal, quiet: true })),
    enabled: Boolean(path),
    // A path means one picture for ever: another picture gets another path.
    staleTime: Infinity,
    gcTime: Infinity,
  });
}

/** The address of the picture for `<img>`; null without a path, and until it has come. */
export function usePicture(path: string | null | undefined): string | null {
  const { data } = useAskedPicture(path);
  return (path && data) || null;
}

/** How the Base64 of each kind of picture begins. */
const beginnings: Record<string, string> = { iVBOR: 'png', '/9j/': 'jpeg', R0lG: 'gif' };

export function dataAddress(base64: string): string | null {
  const kind = Object.keys(beginnings).find((beginning) => base64.startsWith(beginning));
  return kind === undefined ? null : `data:image/${beginnings[kind] ?? ''};base64,${base64}`;
}
