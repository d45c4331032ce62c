// Mails that the platform sent.
import { SentPage } from '../parts/sent-page';
import { listOf } from '../kit/source';

const source = listOf('/api/system/message-record/mail');

export function Component() {
  return <SentPage page="mail" source={source} />;
}
