// main.jsx -- the explorer's page.
import { start } from '../shared/start.jsx';
import { Explore } from './explore.jsx';

start({ 'thimble.explore/1': Explore });
