import ts from 'typescript';
import path from 'node:path';

import { root } from '../../scripts/tools';

/** Text that the code can show to users. `…` stands for a part that is known only at run time. */
export interface Message {
	text: string;
	/** `file:line` of the code that contains the text. */
	place: string;
	/** The row of a table that contains the text: "valueProblems.notText". */
	row?: string;
	/**
	 * The anchor in docs/troubleshooting.md that the message's link leads to; absent if there is no link or if the
	 * link varies.
	 */
	topic?: string;
	/** What an error asks users to do. Absent for any other text, such as a warning. */
	remedies?: string[];
}

/** Properties whose value is text that users read. */
const properties = ['message', 'problem', 'reason', 'emptyFieldsNotice'];

/** Methods whose argument is text that users read. */
const methods = ['hint', 'logger.warn', 'logger.error'];

/**
 * All text that the nodes and the credential can put into an error, a warning, the report about a missing
 * file or a skipped item, n8n's log, or the response to a notification.
 */
export function messagesOfCode(): Message[] {
	const source = new Source();
	const found = new Map<string, Message>();
	source.each((node) => {
		for (const text of textsAt(source, node)) {
			// If the entire text is `…`, it comes from another system's error, so there is nothing to
			// explain.
			const topic = topicAt(source, node);
			const key = `${topic}: ${text}`;
			if (text.replaceAll(open, '').trim().length < 3 || found.has(key)) continue;
			const remedies = remediesAt(source, node);
			const row = rowAt(node);
			found.set(key, {
				text,
				place: source.placeOf(node),
				...(row ? { row } : {}),
				...(topic ? { topic } : {}),
				...(remedies ? { remedies } : {}),
			});
		}
	});
	return [...found.values()];
}

function textsAt(source: Source, node: ts.Node): string[] {
	if (isDescribedError(node)) {
		const [message] = node.arguments ?? [];
		return message ? source.textsOf(message) : [];
	}
	if (ts.isPropertyAssignment(node) && properties.includes(node.name.getText())) {
		return source.textsOf(node.initializer);
	}
	if (ts.isShorthandPropertyAssignment(node) && properties.includes(node.name.text)) {
		return source.textsOfShorthand(node);
	}
	if (ts.isCallExpression(node) && ts.isPropertyAccessExpression(node.expression)) {
		const called = node.expression.getText();
		const [words] = node.arguments;
		return words && methods.some((method) => called.endsWith(`.${method}`))
			? source.textsOf(words)
			: [];
	}
	return [];
}

/**
 * The anchor that an error's link leads to. The syntax node either creates the error or is one of its
 * properties.
 */
function topicAt(source: Source, node: ts.Node): string | undefined {
	const named = (topic?: ts.Expression) => topic && onlyOf(source.textsOf(topic));
	if (isDescribedError(node)) return named(node.arguments?.[2]);
	const topics = textsBesides(source, node, 'docsAnchor');
	return topics && onlyOf(topics);
}

/** The remedies of an error. The syntax node either creates the error or is one of its properties. */
function remediesAt(source: Source, node: ts.Node): string[] | undefined {
	if (isDescribedError(node)) return source.textsOf(node.arguments![1]!);
	return textsBesides(source, node, 'description') ?? textsBesides(source, node, 'remedy');
}

/** All strings that another property of the object that contains a property can have. */
function textsBesides(source: Source, node: ts.Node, name: string): string[] | undefined {
	const facts = node.parent;
	if (!ts.isObjectLiteralExpression(facts)) return undefined;
	const other = facts.properties.find((property) => property.name?.getText() === name);
	if (!other) return undefined;
	if (ts.isShorthandPropertyAssignment(other)) return source.textsOfShorthand(other);
	return ts.isPropertyAssignment(other) ? source.textsOf(other.initializer) : undefined;
}

function isDescribedError(node: ts.Node): node is ts.NewExpression {
	return ts.isNewExpression(node) && node.expression.getText() === 'DescribedError';
}

/** The row of a table that contains a syntax node: "valueProblems.notText". */
function rowAt(node: ts.Node): string | undefined {
	for (let inner = node; ; inner = inner.parent) {
		const { parent: object } = inner;
		if (ts.isSourceFile(inner) || ts.isSourceFile(object)) return undefined;
		if (!ts.isPropertyAssignment(inner) || !ts.isSatisfiesExpression(object.parent)) continue;
		const table = object.parent.parent;
		return ts.isVariableDeclaration(table)
			? `${table.name.getText()}.${inner.name.getText()}`
			: undefined;
	}
}

function onlyOf(texts: string[]): string | undefined {
	const [only, ...others] = texts;
	return only === undefined || others.length > 0 || only.includes(open) ? undefined : only;
}

/** Marks a part that is known only at run time. */
const open = '…';

/**
 * The maximum number of names and constants to follow. Anything deeper is treated as known only at run time.
 */
const deepest = 6;

/**
 * The shipped source code. Without running the code, finds the strings that its expressions can evaluate to.
 */
class Source {
	readonly files: ts.SourceFile[];

	private readonly checker: ts.TypeChecker;

	/** The calls are found only once, because finding them takes seconds. */
	private calls?: Map<ts.Node, ts.CallExpression[]>;

	constructor() {
		const { options, fileNames } = compilerSettings();
		const shipped = fileNames.filter((name) => /^(nodes|credentials)\//.test(relative(name)));
		const ownFiles = { ...options, types: [] };
		const host = ts.createCompilerHost(ownFiles);
		// All messages are in these files, and reading the packages that they import takes most of the time.
		host.resolveModuleNameLiterals = (imports, file) =>
			imports.map(({ text }) =>
				text.startsWith('.')
					? ts.resolveModuleName(text, file, ownFiles, host)
					: { resolvedModule: undefined },
			);
		const program = ts.createProgram(shipped, ownFiles, host);
		this.checker = program.getTypeChecker();
		this.files = program.getSourceFiles().filter((file) => shipped.includes(file.fileName));
	}

	/** `file:line` of a node in the source code. */
	placeOf(node: ts.Node): string {
		const file = node.getSourceFile();
		const { line } = file.getLineAndCharacterOfPosition(node.getStart());
		return `${relative(file.fileName)}:${line + 1}`;
	}

	/** All strings that an expression can evaluate to. */
	textsOf(expression: ts.Expression, depth = 0): string[] {
		if (depth > deepest) return [open];
		const further = (inner: ts.Expression) => this.textsOf(inner, depth + 1);
		if (ts.isStringLiteralLike(expression)) return [expression.text];
		if (ts.isTemplateExpression(expression)) {
			return expression.templateSpans.reduce(
				(texts, { expression: inner, literal }) =>
					// The result of a function call becomes `…`. The rest of the sentence is enough to
					// identify the message.
					joined(texts, ts.isCallExpression(inner) ? [open] : further(inner), [literal.text]),
				[expression.head.text],
			);
		}
		if (ts.isConditionalExpression(expression)) {
			return [...further(expression.whenTrue), ...further(expression.whenFalse)];
		}
		if (ts.isBinaryExpression(expression)) {
			const sides = [further(expression.left), further(expression.right)] as const;
			const { kind } = expression.operatorToken;
			if (kind === ts.SyntaxKind.PlusToken) return joined(...sides);
			return kind === ts.SyntaxKind.QuestionQuestionToken ? sides.flat() : [open];
		}
		if (ts.isArrowFunction(expression) && !ts.isBlock(expression.body)) {
			return further(expression.body);
		}
		if (ts.isCallExpression(expression)) {
			const { expression: called } = expression;
			if (ts.isPropertyAccessExpression(called) && called.name.text === 'trim') {
				return further(called.expression);
			}
			const given = this.returned(expression);
			return given.length ? given.flatMap(further) : [open];
		}
		if (ts.isIdentifier(expression)) {
			return this.ofDeclaration(this.meant(expression), depth);
		}
		return [open];
	}

	/** All strings that can be the value of a shorthand property, such as `{ message }`. */
	textsOfShorthand(property: ts.ShorthandPropertyAssignment): string[] {
		return this.ofDeclaration(this.checker.getShorthandAssignmentValueSymbol(property), 0);
	}

	private ofDeclaration(symbol: ts.Symbol | undefined, depth: number): string[] {
		const declaration = symbol?.valueDeclaration;
		if (declaration && ts.isVariableDeclaration(declaration) && declaration.initializer) {
			const isConstant = (ts.getCombinedNodeFlags(declaration) & ts.NodeFlags.Const) !== 0;
			const first = this.textsOf(declaration.initializer, depth + 1);
			return isConstant ? first : [...first, open];
		}
		if (declaration && ts.isBindingElement(declaration)) return this.ofPart(declaration, depth);
		if (!declaration || !ts.isParameter(declaration)) return [open];
		const index = declaration.parent.parameters.indexOf(declaration);
		const texts = this.callsOf(declaration.parent).flatMap(({ arguments: given }) =>
			given[index] ? this.textsOf(given[index], depth + 1) : [open],
		);
		return texts.length ? texts : [open];
	}

	/**
	 * All strings that can be the value of a variable destructured from the result of a function in the same
	 * file, such as `const { problem } = meaningOf(…)`.
	 */
	private ofPart({ name, parent }: ts.BindingElement, depth: number): string[] {
		const whole = parent.parent;
		const call = ts.isVariableDeclaration(whole) ? whole.initializer : undefined;
		const given = call && ts.isCallExpression(call) ? this.returned(call) : [];
		const texts = given.flatMap((object) => {
			if (!ts.isObjectLiteralExpression(object)) return [open];
			const part = object.properties.find(
				(property) => property.name?.getText() === name.getText(),
			);
			return part && ts.isPropertyAssignment(part)
				? this.textsOf(part.initializer, depth + 1)
				: [open];
		});
		return texts.length ? texts : [open];
	}

	/** The calls to a named function: a declaration, a constant, or a property of a table. */
	private callsOf(called: ts.SignatureDeclaration): ts.CallExpression[] {
		const { parent } = called;
		const isNamedByParent = ts.isVariableDeclaration(parent) || ts.isPropertyAssignment(parent);
		this.calls ??= this.allCalls();
		return this.calls.get(isNamedByParent ? parent : called) ?? [];
	}

	/** All calls in the code, by the declaration of what they call. */
	private allCalls(): Map<ts.Node, ts.CallExpression[]> {
		const calls = new Map<ts.Node, ts.CallExpression[]>();
		this.each((node) => {
			const declaration = ts.isCallExpression(node)
				? this.meant(node.expression)?.valueDeclaration
				: undefined;
			if (!declaration) return;
			calls.set(declaration, [...(calls.get(declaration) ?? []), node as ts.CallExpression]);
		});
		return calls;
	}

	/** The expressions that a called function can return, if the function is in the same file. */
	private returned(call: ts.CallExpression): ts.Expression[] {
		const declaration = this.meant(call.expression)?.valueDeclaration;
		if (declaration?.getSourceFile() !== call.getSourceFile()) return [];
		const given: ts.Expression[] = [];
		const arrow = ts.isVariableDeclaration(declaration) ? declaration.initializer : undefined;
		if (arrow && ts.isArrowFunction(arrow) && !ts.isBlock(arrow.body)) given.push(arrow.body);
		walk(declaration, (node) => {
			if (ts.isReturnStatement(node) && node.expression) given.push(node.expression);
		});
		return given;
	}

	/** The symbol that a name refers to. For an imported name, this is the original symbol. */
	private meant(expression: ts.Expression): ts.Symbol | undefined {
		const symbol = this.checker.getSymbolAtLocation(expression);
		const isImport = symbol && (symbol.flags & ts.SymbolFlags.Alias) !== 0;
		return isImport ? this.checker.getAliasedSymbol(symbol) : symbol;
	}

	each(visit: (node: ts.Node) => void): void {
		for (const file of this.files) walk(file, visit);
	}
}

/** The compiler's options and the project's files, as set in tsconfig.json. */
function compilerSettings(): { options: ts.CompilerOptions; fileNames: string[] } {
	const file = path.join(root, 'tsconfig.json');
	const { config } = ts.readConfigFile(file, (name) => ts.sys.readFile(name)) as { config: object };
	return ts.parseJsonConfigFileContent(config, ts.sys, root);
}

/** Every combination of one string from each list, concatenated in the order of the lists. */
function joined(...lists: string[][]): string[] {
	return lists.reduce((begins, ends) => begins.flatMap((begin) => ends.map((end) => begin + end)));
}

function walk(node: ts.Node, visit: (node: ts.Node) => void): void {
	visit(node);
	node.forEachChild((child) => walk(child, visit));
}

function relative(file: string): string {
	return path.relative(root, file);
}
