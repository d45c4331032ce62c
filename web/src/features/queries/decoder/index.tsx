/** The decoder of the query page; the panel and its texts load when it is first opened. */
import { lazy, Suspense } from 'react';
import { loadTexts } from '@/i18n';

const Panel = lazy(async () => {
  const [{ DecoderPanel }] = await Promise.all([import('./panel'), loadTexts('decoder')]);
  return { default: DecoderPanel };
});

export function Decoder({ onClose }: { onClose: () => void }) {
  return (
    <Suspense fallback={null}>
      <Panel onClose={onClose} />
    </Suspense>
  );
}
