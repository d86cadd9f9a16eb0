import type { IHookFunctions, INodeProperties, IWebhookFunctions } from 'n8n-workflow';

import { eventChoices, type EventType, isEvent } from '../api/events';
import { describeError } from '../errors/nodeError';
import { downloadLimits } from '../events/eventFiles';
import { includeOption, type OutputChoice, readInclude } from '../events/eventItem';
import { downloadFilesFields, readDownloadFiles } from '../files/fileChoice';
import { filtersField, optionsField, checkCollections } from '../form/collections';
import { fieldOf, labelAt } from '../form/field';
import { outputField, readOutput } from '../form/outputChoice';
import { readList, readSwitch, type SavedForm, savedParameters } from '../form/savedForm';
import { InputError, readAll } from '../errors/inputError';
import type { ValueProblemTable } from '../errors/problem';
import { valueProblems } from '../text/textProblems';
import { settleSync } from '../util/async';
import { quoted } from '../util/redact';
import { textOf } from '../util/values';
import { perPersonOption } from './perPerson';
import { type EventFilter, readEventFilter, templatesField } from './templateFilter';

const subtitles = Object.fromEntries(
	eventChoices.map(({ name, value }) => [value, name.toLowerCase()]),
);

/** The trigger's subtitle on the canvas: its events, worded as in the form. */
export const subtitle = `={{ [$parameter["events"]].flat().map((event) => (${JSON.stringify(subtitles)})[event] ?? event).join(", ") }}`;

export const triggerFields: INodeProperties[] = [
	{
		// The same name as in n8n's own triggers, because n8n's trigger list looks for this name.
		displayName: 'Trigger On',
		name: 'events',
		type: 'multiOptions',
		required: true,
		options: eventChoices,
		default: ['completedDocument'],
		description: 'Which events start the workflow',
		builderHint: {
			propertyHint:
				'completedDocument happens once, when everyone has signed. signDocument happens for each signature.',
		},
	},
	{
		displayName:
			"Without a filter, this workflow starts whenever one of these events happens in your account. Your provider must be able to reach n8n: events from the internet can't reach localhost or a private address.",
		name: 'notice',
		type: 'notice',
		default: '',
	},
	filtersField([templatesField]),
	...downloadFilesFields(
		`Whether to download the files before their links expire. After ${downloadLimits.totalMs / 1000} seconds, the rest is listed in missingFiles.`,
		{
			builderHint: {
				propertyHint: 'The binary fields are called document, certificate, and pscCertificate.',
			},
		},
	),
	optionsField([includeOption, perPersonOption, outputField('the event')]),
];

/**
 * Provides access to the trigger's form, both when its workflow is published and when an event arrives. If an
 * expression fails, `parameter` throws an InputError, because n8n's own error does not name the field.
 */
export function triggerForm(context: IHookFunctions | IWebhookFunctions): SavedForm {
	return {
		...savedParameters(() => context.getNode().parameters),
		parameter(name) {
			// @n8n Without a fallback, n8n throws if the workflow lacks the parameter.
			const value = settleSync<unknown>(() => context.getNodeParameter(name, null) ?? undefined);
			if (value.ok) return value.value;
			const reason = describeError(value.error).message;
			throw new InputError(labelAt(triggerFields, name), triggerProblems.failingExpression(reason));
		},
		judge(label, finding) {
			if (finding?.severity !== 'wrong') return;
			throw new InputError(label, finding);
		},
	};
}

export const triggerProblems = {
	failingExpression: (reason: string) => ({
		problem: `the expression fails (${reason})`,
		remedy:
			"A trigger has no input item, so the expression can't read $json. Use $vars, or enter the value.",
	}),
	unknownEvent: (event: string) => ({ problem: `${quoted(event)} isn't a known event` }),
} satisfies ValueProblemTable;

/** @throws InputError if no event is chosen, or for an event that does not exist. */
export function readEvents(form: SavedForm): EventType[] {
	const remedy = 'Select at least one event from the list.';
	const types = readList(form, { name: 'events', label: 'Trigger On' }, (event) => {
		if (isEvent(event)) return event;
		throw new InputError('Trigger On', { ...triggerProblems.unknownEvent(textOf(event)), remedy });
	});
	if (types.length === 0)
		throw new InputError('Trigger On', { ...valueProblems.notSelected, remedy });
	return [...new Set(types)];
}

interface TriggerChoices {
	passesFilter: EventFilter;
	output: OutputChoice;
	isPerPerson: boolean;
}

const perPersonField = fieldOf(perPersonOption, 'options');

/** @throws InputError for a wrong value in any field but Trigger On. */
export function readTriggerChoices(form: SavedForm): TriggerChoices {
	checkCollections(form, triggerFields);
	return readAll({
		passesFilter: () => readEventFilter(form),
		output: () =>
			readAll({
				output: () => readOutput(form, 'options.output'),
				files: () => readDownloadFiles(form),
				include: () => readInclude(form),
			}),
		isPerPerson: () => readSwitch(form, perPersonField),
	});
}
