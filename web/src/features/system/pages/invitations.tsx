// Invitations: who was invited by whom, what became of it, and new ones.
import { Info, MailPlus } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '@/api/call';
import { useRegistrationRules } from '@/api/registration';
import { Button } from '@/ui/button';
import { Tag, type Tone } from '@/ui/parts';
import { useAct } from '../kit/act';
import { Actions, None, Person } from '../kit/cells';
import { useCommon } from '../kit/common';
import { ListPage } from '../kit/list-page';
import { listOf, type RowOf } from '../kit/source';
import { InviteDialog } from '../parts/invite-dialog';
import css from '../kit/kit.module.css';

const source = listOf('/api/system/invitation/list');
type Invitation = RowOf<typeof source>;

const states = ['open', 'used', 'expired', 'withdrawn'] as const satisfies readonly Invitation['state'][];
const tones: Record<Invitation['state'], Tone> = { open: 'accent', used: 'ok', expired: 'plain', withdrawn: 'plain' };

export function Component() {
  const { t } = useTranslation();
  const act = useAct();
  const { data: rules } = useRegistrationRules();
  const [inviting, setInviting] = useState(false);
  const { text, choice, moment, plain, actions } = useCommon<Invitation>();
  const registration = rules?.registration;

  const withdraw = ({ id, email }: Invitation) =>
    act({
      run: () => call('delete', '/api/system/invitation/{id}', { path: { id } }),
      done: t('system.invitations.withdrawn'),
      confirm: {
        title: email ? t('system.invitations.withdrawTitleFor', { email }) : t('system.invitations.withdrawTitle'),
        text: t('system.invitations.withdrawText'),
        ok: t('system.invitations.withdraw'),
      },
    });

  return (
    <>
      <ListPage
        page="invitation"
        source={source}
        rowKey={(row) => row.id}
        empty={t('system.invitations.empty')}
        actions={
          registration === 'invitation' && (
            <Button kind="primary" icon={<MailPlus size={17} strokeWidth={1.6} />} onClick={() => setInviting(true)}>
              {t('system.invitations.invite')}
            </Button>
          )
        }
        above={
          (registration === 'open' || registration === 'closed') && (
            <p role="note" className={css.notice}>
              <Info size={17} strokeWidth={1.6} aria-hidden />
              {t(`system.invitations.${registration}`)}
            </p>
          )
        }
        filters={[text('email', t('system.invitations.email')), choice('state', t('system.kit.state'), states.map((state) => [state, t(`system.invitations.states.${state}`)]))]}
        columns={[
          plain('for', t('system.invitations.for'), (row) => row.email ?? t('system.invitations.anyone'), { main: true, cut: true }),
          plain('state', t('system.kit.state'), (row) => t(`system.invitations.states.${row.state}`), { cell: (row) => <Tag tone={tones[row.state]}>{t(`system.invitations.states.${row.state}`)}</Tag> }),
          plain('by', t('system.invitations.by'), (row) => row.createdBy ?? t('system.invitations.commandLine'), { cell: (row) => (row.createdBy ? <Person name={row.createdBy} /> : <span className={css.soft}>{t('system.invitations.commandLine')}</span>) }),
          moment('created', t('system.kit.created'), (row) => row.createdAt),
          moment('expires', t('system.invitations.expires'), (row) => row.expiresAt),
          plain('usedBy', t('system.invitations.usedBy'), (row) => row.usedBy ?? '', { cell: (row) => (row.usedBy ? <Person name={row.usedBy} /> : <None />) }),
          plain('id', t('system.invitations.id'), (row) => row.id, { cell: (row) => <code>{row.id}</code> }),
          actions((row) => (
            <Actions>
              {row.state === 'open' && (
                <Button size="small" kind="danger" onClick={() => withdraw(row)}>
                  {t('system.invitations.withdraw')}
                </Button>
              )}
            </Actions>
          )),
        ]}
      />
      {inviting && <InviteDialog onClose={() => setInviting(false)} />}
    </>
  );
}
