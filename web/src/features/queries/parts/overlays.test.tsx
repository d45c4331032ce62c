// @vitest-environment jsdom
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { render, screen } from '@testing-library/react';
import { MemoryRouter } from 'react-router';
import { expect, it, vi } from 'vitest';
import type { SavedQuery } from '@/api/queries';
import type { EditorLanguage } from '@/ui/editor/language';
import type { Draft } from '../model/drafts';
import type { Saved } from '../model/use-saved';
import { Overlays } from './overlays';

vi.mock('./details-dialog', () => ({ DetailsDialog: ({ saved }: { saved: Saved }) => <p>Notes: {saved.query?.notes ?? 'none'}</p> }));

const draft = { id: 'd', query: { id: 'q', revision: 1 } } as unknown as Draft;

it('the details of a saved query open once they are there', async () => {
  const client = new QueryClient();
  const overlays = (query: SavedQuery | undefined, of = draft) => (
    <QueryClientProvider client={client}>
      <MemoryRouter>
        <Overlays draft={of} saved={{ query, conflict: null } as unknown as Saved} visitor={false} language={{} as EditorLanguage} overlay="details" text={() => ''} onClose={() => undefined} onTake={() => undefined} />
      </MemoryRouter>
    </QueryClientProvider>
  );
  const { rerender } = render(overlays(undefined, { ...draft, query: null }));
  await screen.findByText('Notes: none');
  rerender(overlays(undefined));
  expect(screen.queryByText(/^Notes/)).toBeNull();
  rerender(overlays({ id: 'q', notes: 'Of every day' } as SavedQuery));
  await screen.findByText('Notes: Of every day');
});
