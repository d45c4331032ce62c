/** The decoder of the query page; the panel and its texts load when it is first opened. */
import { loadTexts } from '@/i18n';
import { lazyPart } from '@/ui/part';

/** Of the part around it, which tells when it can't be loaded. */
export const Decoder = lazyPart(async () => {
  const [{ DecoderPanel }] = await Promise.all([import('./panel'), loadTexts('decoder')]);
  return { default: DecoderPanel };
});
