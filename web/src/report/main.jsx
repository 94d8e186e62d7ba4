// main.jsx -- the report's page.
import { start } from '../shared/start.jsx';
import { Report } from './report.jsx';

start({ 'thimble.report/1': Report });
