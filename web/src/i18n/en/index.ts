// All English texts, one file per area.
import { common } from './common';
import { errors } from './errors';
import { home } from './home';
import { jobs } from './jobs';
import { queries } from './queries';
import { session } from './session';
import { shell } from './shell';
import { start } from './start';

const texts = { common, errors, home, jobs, queries, session, shell, start };

export default texts;
