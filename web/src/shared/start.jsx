// start.jsx -- how every page begins: the theme, the data that is in it, and whether this page knows what to do with it.
import { render } from 'preact';
import './theme.css';
import './parts.css';
import { startTheme } from './theme.jsx';

function Foreign({ text }) {
  return <main class="foreign"><h1>This page cannot be shown</h1><p>{text}</p></main>;
}

function read() {
  try {
    return JSON.parse(document.getElementById('thimble-data').textContent);
  } catch (e) {
    return { fault: `The data in this file is damaged: ${e.message}.` };
  }
}

// pages: {schema: component that gets the data}
export function start(pages) {
  startTheme();
  const data = read();
  const Page = pages[data.schema];
  const text = data.fault || `The data in this file is "${data.schema}", which this version of the page does not know.`;
  render(Page ? <Page data={data} /> : <Foreign text={text} />, document.getElementById('page'));
}
