/*
 * The API browser: reads /openapi.json, lists its operations by service, and sends what is filled in with the token of the form.
 * Everything shown is set as text, never as HTML. Nothing is stored.
 */
const byId = (id) => document.getElementById(id);

/** An element with text or children; `attributes` are set as attributes. */
function element(name, attributes = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    made.setAttribute(key, value);
  }
  made.append(...children);
  return made;
}

/** The schema behind a reference, or the schema itself. */
function resolve(api, schema) {
  const name = schema?.$ref?.split('/').pop();
  return name === undefined ? (schema ?? {}) : (api.components.schemas[name] ?? {});
}

/** A value that shows the shape of a schema; three levels deep, since some lead back to themselves. */
function exampleOf(api, schema, depth = 0) {
  const { type, properties, items, enum: values, format, examples, additionalProperties, allOf } = resolve(api, schema);
  if (examples !== undefined) {
    return examples[0];
  }
  if (values !== undefined) {
    return values[0];
  }
  if (type === 'array') {
    return depth > 2 ? [] : [exampleOf(api, items, depth + 1)];
  }
  if (type === 'object') {
    if (depth > 2 || (properties === undefined && additionalProperties === true)) {
      return {};
    }
    // Of members that exclude each other only the first is shown.
    const excluded = new Set((allOf ?? []).flatMap((rule) => rule.oneOf.flatMap(({ required }) => required ?? []).slice(1)));
    const writable = Object.entries(properties ?? {}).filter(([key, property]) => property.readOnly !== true && !excluded.has(key));
    return Object.fromEntries(writable.map(([key, property]) => [key, exampleOf(api, property, depth + 1)]));
  }
  if (type === 'string') {
    return format === 'date-time' ? '2026-01-31T12:00:00Z' : '';
  }
  return type === 'boolean' ? false : 0;
}

/** The members of a schema, one a line, with their types; those of messages and lists of messages below them, two levels deep. */
function describeMembers(api, schema, depth = 0) {
  return Object.entries(resolve(api, schema).properties ?? {})
    .map(([name, property]) => {
      const note = property.description === undefined ? '' : `  ${property.description}`;
      const line = `${'  '.repeat(depth)}${name}: ${describeType(api, property)}${property.readOnly === true ? ' (set by the server)' : ''}${note}`;
      const inner = depth < 2 ? describeMembers(api, property.items ?? property, depth + 1) : '';
      return inner === '' ? line : `${line}\n${inner}`;
    })
    .join('\n');
}

function describeType(api, schema) {
  if (schema.$ref !== undefined) {
    const resolved = resolve(api, schema);
    return resolved.enum === undefined ? schema.$ref.split('/').pop() : resolved.enum.join(' | ');
  }
  if (schema.type === 'array') {
    return `list of ${describeType(api, schema.items)}`;
  }
  return schema.format === 'date-time' ? 'time' : (schema.type ?? 'anything');
}

async function getToken() {
  const clientSecret = byId('client-secret').value.trim();
  const clientId = byId('client-id').value.trim();
  if (clientId === '' || clientSecret === '') {
    return 'A client id and a client secret are needed.';
  }
  const reply = await fetch('/auth/v1/token', {
    method: 'POST',
    body: new URLSearchParams({ grant_type: 'client_credentials', client_id: clientId, client_secret: clientSecret }),
  });
  const answer = await reply.json();
  if (!reply.ok) {
    return `${reply.status} ${answer.error ?? ''}: ${answer.error_description ?? answer.message ?? ''}`;
  }
  byId('token').value = answer.access_token;
  return `Signed in for ${Math.round(answer.expires_in / 60)} minutes.`;
}

/** The request that a filled-in form means. */
function requestOf(verb, path, inputs, bodyText) {
  const query = new URLSearchParams();
  let url = path;
  for (const { parameter, input } of inputs) {
    const value = input.value.trim();
    if (parameter.in === 'path') {
      url = url.replace(`{${parameter.name}}`, encodeURIComponent(value));
    } else if (value !== '') {
      query.set(parameter.name, value);
    }
  }
  const headers = {};
  const token = byId('token').value.trim();
  if (token !== '') {
    headers.authorization = `Bearer ${token}`;
  }
  if (bodyText !== undefined) {
    headers['content-type'] = path.includes('/imports/') ? 'text/csv' : 'application/json';
  }
  const text = query.toString();
  return { url: text === '' ? url : `${url}?${text}`, init: { method: verb.toUpperCase(), headers, body: bodyText } };
}

async function send(request, result) {
  const startedAt = performance.now();
  result.textContent = '...';
  try {
    const reply = await fetch(request.url, request.init);
    const text = await reply.text();
    let shown = text;
    try {
      shown = JSON.stringify(JSON.parse(text), null, 2);
    } catch {
      // Not JSON: shown as it came.
    }
    result.textContent = `${request.init.method} ${request.url}\n${reply.status} in ${Math.round(performance.now() - startedAt)} ms\n\n${shown}`;
  } catch (error) {
    result.textContent = `The request could not be sent: ${error.message}`;
  }
}

/** A button for each example of a request, which puts it into the body. */
function exampleButtons(examples, body) {
  return Object.values(examples ?? {}).map(({ summary, value }) => {
    const button = element('button', { type: 'button', class: 'example' }, summary);
    button.addEventListener('click', () => {
      body.value = JSON.stringify(value, null, 2);
    });
    return button;
  });
}

/** Makes the inside of an operation when it is first opened. */
function fillOperation(api, path, verb, operation) {
  const inputs = (operation.parameters ?? []).map((parameter) => ({
    parameter,
    input: element('input', { name: parameter.name, spellcheck: 'false', ...(parameter.required === true ? { required: '' } : {}) }),
  }));
  const content = operation.requestBody?.content ?? {};
  const schema = content['application/json']?.schema;
  const form = element('form', {}, element('p', { class: 'quiet' }, operation.description ?? ''));
  for (const { parameter, input } of inputs) {
    const note = parameter.description ?? parameter.schema?.description ?? '';
    form.append(
      element(
        'label',
        {},
        element('span', {}, `${parameter.name} (${parameter.in})`),
        ' ',
        input,
        ' ',
        element('small', { class: 'quiet' }, note),
      ),
    );
  }
  let body;
  if (operation.requestBody !== undefined) {
    body = element('textarea', { 'aria-label': 'Body of the request', spellcheck: 'false' });
    body.value = schema === undefined ? '' : '{}';
    const example = element('button', { type: 'button' }, 'Show all members');
    example.addEventListener('click', () => {
      body.value = JSON.stringify(exampleOf(api, schema), null, 2);
    });
    form.append(body, ...(schema === undefined ? [] : [example]), ...exampleButtons(content['application/json']?.examples, body));
  }
  const result = element('pre', { role: 'status' }, 'The answer will be here.');
  form.append(element('button', { type: 'submit' }, 'Send'));
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    void send(requestOf(verb, path, inputs, body?.value), result);
  });
  const members = schema === undefined ? '' : describeMembers(api, schema);
  const answers = describeMembers(api, operation.responses['200'].content['application/json']?.schema);
  return element(
    'div',
    {},
    form,
    result,
    ...(members === '' ? [] : [element('p', {}, 'Body'), element('pre', {}, members)]),
    ...(answers === '' ? [] : [element('p', {}, 'Answer'), element('pre', {}, answers)]),
  );
}

function listOperations(api) {
  const sections = new Map((api.tags ?? []).map(({ name }) => [name, element('section', {}, element('h2', {}, name))]));
  for (const [path, verbs] of Object.entries(api.paths)) {
    for (const [verb, operation] of Object.entries(verbs)) {
      const title = element(
        'summary',
        {},
        element('span', { class: `verb ${verb}` }, verb.toUpperCase()),
        element('code', {}, path),
        element('span', { class: 'quiet' }, ` ${operation.summary ?? ''}`),
      );
      const details = element('details', {}, title);
      details.addEventListener('toggle', () => {
        if (details.open && details.children.length === 1) {
          details.append(fillOperation(api, path, verb, operation));
        }
      });
      details.dataset.text = `${verb} ${path} ${operation.summary ?? ''} ${operation.operationId}`.toLowerCase();
      sections.get(operation.tags?.[0])?.append(details);
    }
  }
  return [...sections.values()].filter((section) => section.children.length > 1);
}

function filterOperations() {
  const words = byId('filter').value.toLowerCase().split(/\s+/);
  for (const section of document.querySelectorAll('#operations section')) {
    let shown = 0;
    for (const details of section.querySelectorAll('details')) {
      details.hidden = !words.every((word) => details.dataset.text.includes(word));
      shown += details.hidden ? 0 : 1;
    }
    section.hidden = shown === 0;
  }
}

async function start() {
  byId('sign-in').addEventListener('submit', async (event) => {
    event.preventDefault();
    byId('sign-in-result').textContent = await getToken().catch((error) => `The request could not be sent: ${error.message}`);
  });
  byId('filter').addEventListener('input', filterOperations);
  try {
    const reply = await fetch('/openapi.json');
    byId('operations').replaceChildren(...listOperations(await reply.json()));
  } catch (error) {
    byId('operations').replaceChildren(element('p', {}, `openapi.json could not be read: ${error.message}`));
  }
}

void start();
