# ruff: noqa: E501 (each shape reads better on few lines)
"""Files, logs and pages about one text: invented, in the form that each tool documents."""

from __future__ import annotations

import json

Q = "Who was the painter Ann Lee?"
A = "Ann Lee was a painter. She rowed for Canada."
T = ["Ann Lee (born 1950) is an English painter.", "Ann Lee (born 1971) is a rower from Canada."]
H = ["Ann Lee (painter)", "Ann Lee (rower)"]
DOCS = [{"title": h, "text": t} for h, t in zip(H, T, strict=True)]
LC = [
    {
        "lc": 1,
        "type": "constructor",
        "id": ["langchain", "schema", "document", "Document"],
        "kwargs": {"page_content": t, "metadata": {"source": f"{n}.pdf"}, "type": "Document"},
    }
    for n, t in enumerate(T)
]


def lc(kind, text):
    return {
        "lc": 1,
        "type": "constructor",
        "id": ["langchain", "schema", "messages", kind],
        "kwargs": {"content": text, "type": kind.lower().removesuffix("message")},
    }


def lines(*rows):
    return "".join(json.dumps(row) + "\n" for row in rows)


PASSAGES = f"passage 1:{T[0]}\n\npassage 2:{T[1]}\n\n"
RAGTRUTH = (
    f"Briefly answer the following question:\n{Q}\nBear in mind that your response should "
    f"be strictly based on the following two passages:\n{PASSAGES}"
    "In case the passages do not contain the necessary information, please reply so.\noutput:"
)
# name: (file name, content, options of `Columns` or more files)
FILES = {
    "FActScore": ("x.jsonl", lines({"input": "Question: Tell me a bio of Ann Lee.", "output": A,
        "topic": "Ann Lee", "cat": ["rare", "Europe"]}), {}, None),
    "VeriScore": ("x.jsonl", lines({"question": Q, "model": "m", "response": A,
        "prompt_source": "factscore_prompts"}), {}, None),
    "VeriScore evidence": ("x.jsonl", lines({"question": Q, "model": "m", "response": A,
        "prompt_source": "p", "claim_list": [[A.split(". ")[0]], ["She rowed for Canada."]],
        "all_claims": ["Ann Lee was a painter.", "Ann Lee rowed for Canada."],
        "claim_search_results": {
            "Ann Lee was a painter.": [{"title": H[0], "snippet": T[0], "link": "https://a.org/1"}],
            "Ann Lee rowed for Canada.": [{"title": H[1], "snippet": T[1], "link": "https://a.org/2"},
                {"title": H[0], "snippet": T[0], "link": "https://a.org/1"}]}}), {}, T),
    "VeriFastScore": ("x.jsonl", lines({"question": Q, "response": A, "evidence": "\n\n".join(T),
        "claims": []}), {}, ["\n\n".join(T)]),
    "SAFE": ("x.json", json.dumps({"args": {}, "total_time": 1.5, "per_prompt_data": [
        {"prompt": Q, "side1_response": A, "side2_response": None}]}), {}, None),
    "ALCE": ("x.json", json.dumps({"args": {"model": "m"}, "data": [
        {"id": "1", "question": Q, "answer": "x", "docs": [{"id": "7", **d} for d in DOCS],
         "output": A, "prompt": "Instruction: …", "qa_pairs": None}]}), {}, T),
    "lm-eval": ("x.jsonl", lines({"doc_id": 0, "doc": {"question": Q, "contexts": T}, "target": "",
        "arguments": {"gen_args_0": {"arg_0": "…"}}, "resps": [[A]], "filtered_resps": [A],
        "filter": "none", "metrics": ["x"], "doc_hash": "0"}), {}, T),
    "RAGTruth": ("x.jsonl", lines({"id": "0", "source_id": "15", "model": "gpt-4", "temperature": 1,
        "labels": [], "split": "train", "quality": "good", "response": A}),
        {"join": lines({"source_id": "15", "task_type": "QA", "source": "MARCO", "prompt": RAGTRUTH,
                        "source_info": {"question": Q, "passages": PASSAGES}}), "on": "source_id",
         "name": "source_info.question", "passages": "source_info.passages"}, T),
    "Open RAG Eval": ("x.csv", "query_id,query,query_run,passage_id,passage,generated_answer\n"
        f'q1,{Q},1,[1],"{T[0]}","{A}"\nq1,{Q},1,[2],"{T[1]}",\n', {}, T),
    "TREC RAG 2024": ("x.jsonl", lines({"run_id": "r", "topic_id": "2024-1", "topic": Q,
        "references": ["msmarco_v2.1_doc_01_1#2_3", "msmarco_v2.1_doc_02_1#2_3"], "response_length": 8,
        "answer": [{"text": "Ann Lee was a painter.", "citations": [0]},
                   {"text": "She rowed for Canada.", "citations": [1]}]}), {}, None),
    "TREC RAG 2025": ("x.jsonl", lines({"metadata": {"team_id": "t", "run_id": "r", "type": "auto",
        "narrative_id": "3", "narrative": Q}, "references": ["shard_00_1", "shard_00_2"],
        "answer": [{"text": "Ann Lee was a painter.", "citations": [0]},
                   {"text": "She rowed for Canada.", "citations": [1]}]}), {}, None),
    "ragas": ("x.csv", "user_input,retrieved_contexts,response,reference,faithfulness\n"
        f'{Q},"{T!r}","{A}",The reference.,0.5\n', {}, T),
    "deepeval": ("x.json", json.dumps([{"input": Q, "actual_output": A, "expected_output": "x",
        "name": "test_case_0", "retrieval_context": T, "context": ["The ground truth is long."],
        "tools_called": None, "source_file": None, "comments": None}]), {}, T),
    "deepeval CSV": ("x.csv", "input,actual_output,expected_output,retrieval_context,context,name\n"
        f'{Q},"{A}",x,"{T[0]}|{T[1]}","The ground truth is long.",test_case_0\n', {}, T),
    "deepeval run": ("x.json", json.dumps({"testFile": None, "testCases": [{"name": "test_case_0",
        "input": Q, "actualOutput": A, "retrievalContext": T, "success": True, "metricsData": []}],
        "metricsScores": []}), {}, T),
    "promptfoo": ("x.json", json.dumps({"evalId": "e", "results": {"version": 3, "prompts": [
        {"raw": "{{question}}"}], "results": [{"id": "1", "provider": {"id": "openai:x", "label": ""},
        "prompt": {"raw": f"Answer: {Q}", "label": "p"}, "vars": {"question": Q, "context": T},
        "response": {"output": A, "tokenUsage": {}}, "score": 1, "success": True, "promptIdx": 0}],
        "stats": {}}, "config": {}}), {"name": "vars.question", "passages": "vars.context"}, T),
    "HELM": ("x.json", json.dumps({"adapter_spec": {"method": "generation"}, "request_states": [
        {"instance": {"input": {"text": Q}, "references": [], "id": "id1"}, "train_trial_index": 0,
         "request": {"model": "m", "prompt": Q}, "result": {"success": True, "completions": [
             {"text": A, "logprob": 0}]}}]}), {}, None),
    "OpenAI batch": ("x.jsonl", lines({"id": "batch_req_1", "custom_id": "r1", "response": {
        "status_code": 200, "request_id": "q", "body": {"id": "c", "model": "m", "choices": [
            {"index": 0, "message": {"role": "assistant", "content": A}}]}}, "error": None}),
        {"join": lines({"custom_id": "r1", "method": "POST", "url": "/v1/chat/completions", "body": {
            "model": "m", "messages": [{"role": "user", "content": Q}]}}), "on": "custom_id"}, None),
    "AlpacaEval": ("x.json", json.dumps([{"dataset": "helpful_base", "instruction": Q, "output": A,
        "generator": "m"}]), {}, None),
    "FactReasoner": ("x.jsonl", lines({"input": Q, "output": A, "topic": "Ann Lee", "cat": [],
        "atoms": [{"id": "a0", "text": "Ann Lee was a painter.", "original": "x", "label": "S",
                   "contexts": ["c_a0_0"]}],
        "contexts": [{"id": f"c_a0_{n}", "title": h, "text": t, "snippet": "", "link": "https://a.org"}
                     for n, (h, t) in enumerate(zip(H, T, strict=True))]}), {}, T),
    "FACTS Grounding": ("x.csv", "system_instruction,user_request,context_document,full_prompt,response\n"
        f'Be brief.,{Q},"{" ".join(T)}",x,"{A}"\n', {}, [" ".join(T)]),
    "FlashRAG": ("x.json", json.dumps([{"id": "test_0", "question": Q, "golden_answers": ["x"],
        "metadata": {}, "output": {"retrieval_result": [
            {"id": str(n), "contents": f'"{h}"\n{t}'} for n, (h, t) in enumerate(zip(H, T, strict=True))],
            "prompt": "…", "pred": A, "metric_score": {"em": 0}}}]), {}, T),
    "AutoRAG": ("x.jsonl", lines({"qid": "1", "query": Q, "retrieved_contents": T,
        "retrieved_ids": ["a", "b"], "retrieve_scores": [1.5, 1], "generation_gt": ["x"],
        "generated_texts": A, "generated_tokens": [1, 2]}), {}, T),
    "RAGChecker": ("x.json", json.dumps({"results": [{"query_id": "1", "query": Q, "gt_answer": "x.",
        "response": A, "retrieved_context": [{"doc_id": str(n), "text": t} for n, t in enumerate(T)]}]
        }), {}, T),
    "ExpertQA": ("x.jsonl", lines({"example_id": 1, "question": Q, "annotator_id": "a", "answers": {
        "gpt4": {"answer_string": A, "attribution": [f"[1] https://a.org\n\n{T[0]}", f"[2] {T[1]}"],
                 "claims": [{"claim_string": A}]}}, "metadata": {"field": "Art"}}),
        {"text": "answers.gpt4.answer_string"}, None),
    "LettuceDetect": ("x.json", json.dumps([{"prompt": RAGTRUTH, "answer": A, "labels": [
        {"start": 23, "end": 44, "label": "Evident Conflict"}], "split": "test", "task_type": "QA",
        "dataset": "ragtruth", "language": "en"}]), {"passages": "prompt"}, 2),
    "uqlm": ("x.csv", "hundredw_prompt,wikipedia_text,response\n"
        f'Tell me a bio of Ann Lee within 100 words.,"{" ".join(T)}","{A}"\n',
        {"name": "hundredw_prompt"}, [" ".join(T)]),
    "BERGEN": ("x.json", json.dumps([{"q_id": "1", "response": A, "instruction": "…", "label": ["x"],
        "question": Q, "ranking_label": None}]), {}, None),
    "ARES": ("x.tsv", f"Query\tDocument\tAnswer\n{Q}\t{' '.join(T)}\t{A}\n", {}, [" ".join(T)]),
    "evaluate of Arize": ("x.jsonl", lines({"input": Q, "output": A, "reference": " ".join(T)}),
        {"passages": "reference"}, [" ".join(T)]),
}  # fmt: skip

CHAT = [{"role": "system", "content": "Be brief."}, {"role": "user", "content": Q}]
REPLY = {"role": "assistant", "content": A}
LOGS = {
    "OpenAI with tools": ({"messages": [*CHAT, {"role": "assistant", "content": None, "tool_calls": [
        {"id": "c", "type": "function", "function": {"name": "search", "arguments": "{}"}}]},
        {"role": "tool", "tool_call_id": "c", "content": json.dumps(DOCS)}, REPLY]}, T),
    "Responses": ({"id": "resp_1", "object": "response", "model": "m", "input": Q, "output": [
        {"id": "fs_1", "type": "file_search_call", "queries": ["x"], "results": [
            {"file_id": "f", "filename": "a.pdf", "score": 0.9, "attributes": {}, "text": t} for t in T]},
        {"id": "msg_1", "type": "message", "role": "assistant", "content": [
            {"type": "output_text", "text": A, "annotations": [{"type": "file_citation"}]}]}]}, T),
    "ShareGPT": ({"id": "x_0", "conversations": [{"from": "human", "value": Q},
        {"from": "gpt", "value": A}]}, None),
    "LangSmith": ({"id": "1", "name": "RunnableSequence", "run_type": "chain", "trace_id": "t",
        "inputs": {"messages": [lc("HumanMessage", Q)]}, "outputs": {"output": lc("AIMessage", A)},
        "child_runs": [{"name": "VectorStoreRetriever", "run_type": "retriever", "inputs": {"query": Q},
                        "outputs": {"documents": LC}}, {"name": "ChatOpenAI", "run_type": "llm",
                        "inputs": {}, "outputs": {}}]}, T),
    "LangSmith nested": ({"id": "1", "name": "rag", "run_type": "chain", "inputs": {"question": Q},
        "outputs": {"answer": A}, "child_runs": [{"name": "seq", "run_type": "chain", "child_runs": [
            {"name": "r", "run_type": "retriever", "outputs": {"documents": LC}}]}]}, T),
    "Langfuse": ({"id": "t", "name": "rag-chat", "timestamp": "2025-01-01T00:00:00Z", "userId": None,
        "input": {"question": Q}, "output": {"answer": A}, "observations": [
            {"id": "o", "name": "retrieve", "type": "SPAN", "input": {"query": Q}, "output": DOCS},
            {"id": "g", "name": "llm", "type": "GENERATION", "input": [*CHAT], "output": REPLY}]}, T),
    "Phoenix": ([{"name": "query", "span_kind": "CHAIN", "parent_id": None, "context.trace_id": "t",
        "context.span_id": "s1", "attributes.input.value": Q, "attributes.output.value": A,
        "attributes.retrieval.documents": None},
        {"name": "retrieve", "span_kind": "RETRIEVER", "parent_id": "s1", "context.trace_id": "t",
         "context.span_id": "s2", "attributes.input.value": Q, "attributes.output.value": None,
         "attributes.retrieval.documents": [{"document.content": t, "document.score": 1} for t in T]}],
        T),
    "OTLP": ({"resourceSpans": [{"resource": {"attributes": []}, "scopeSpans": [{"spans": [
        {"traceId": "t", "spanId": "a", "name": "chain", "attributes": [
            {"key": "openinference.span.kind", "value": {"stringValue": "CHAIN"}},
            {"key": "input.value", "value": {"stringValue": Q}},
            {"key": "output.value", "value": {"stringValue": A}}]},
        {"traceId": "t", "spanId": "b", "parentSpanId": "a", "name": "retriever", "attributes": [
            {"key": "openinference.span.kind", "value": {"stringValue": "RETRIEVER"}},
            *({"key": f"retrieval.documents.{n}.document.content", "value": {"stringValue": t}}
              for n, t in enumerate(T))]}]}]}]}, T),
    "Haystack": ({"retriever": {"documents": [{"id": "x", "content": t, "meta": {}} for t in T]},
        "prompt_builder": {"prompt": f"Answer: {Q}"}, "llm": {"replies": [A], "meta": [{"model": "m"}]},
        "query": Q}, T),
    "TruLens": ({"app_name": "a", "app_version": "1", "record_id": "record_hash_1", "input": Q,
        "output": A, "record_json": json.dumps({"main_input": Q, "main_output": A, "calls": [
            {"stack": [{"path": "app.retrieve", "method": {"name": "retrieve"}}], "args": {"query": Q},
             "rets": T}]}), "latency": 1, "Groundedness": 0.5}, T),
    "Bedrock": ({"input": {"text": Q}, "output": {"text": A}, "sessionId": "s", "citations": [
        {"generatedResponsePart": {"textResponsePart": {"text": A, "span": {"start": 0, "end": 9}}},
         "retrievedReferences": [{"content": {"text": t, "type": "TEXT"}, "location": {
             "type": "S3", "s3Location": {"uri": "s3://b/a.pdf"}}, "metadata": {}} for t in T]}]}, T),
    "Dify": ({"event": "message", "task_id": "t", "id": "m", "message_id": "m", "mode": "chat",
        "query": Q, "answer": A, "metadata": {"usage": {}, "retriever_resources": [
            {"position": n + 1, "dataset_id": "d", "dataset_name": "n", "document_id": "x",
             "document_name": "People.pdf", "segment_id": "s", "score": 0.9, "content": t}
            for n, t in enumerate(T)]}, "created_at": 1}, T),
    "ragas multi-turn": ({"user_input": [{"content": "Hello", "type": "human"},
        {"content": "Hello!", "type": "ai"}, {"content": Q, "type": "human"},
        {"content": "", "type": "ai", "tool_calls": [{"name": "s", "args": {}}]},
        {"content": "\n\n".join(T), "type": "tool"}, {"content": A, "type": "ai"}],
        "reference": "x"}, ["\n\n".join(T)]),
    "MLflow": ({"trace_id": "tr-1", "request": json.dumps({"question": Q}), "response": json.dumps(A),
        "state": "OK", "execution_duration": 5, "spans": [
            {"name": "retrieve", "span_id": "s", "attributes": {"mlflow.spanType": "RETRIEVER",
             "mlflow.spanOutputs": [{"page_content": t, "metadata": {}, "id": "x"} for t in T]}}]}, T),
    "Anthropic": ({"question": Q, "id": "msg_1", "type": "message", "role": "assistant", "model": "m",
        "content": [{"type": "text", "text": A.split(". ")[0] + ". ", "citations": [
            {"type": "char_location", "cited_text": T[0], "document_index": 0}]},
            {"type": "text", "text": "She rowed for Canada.", "citations": [
                {"type": "char_location", "cited_text": T[1], "document_index": 1}]}]}, T),
    "Gemini": ({"question": Q, "candidates": [{"content": {"role": "model", "parts": [{"text": A}]},
        "groundingMetadata": {"groundingChunks": [{"retrievedContext": {"uri": "gs://a", "title": h,
         "text": t}} for h, t in zip(H, T, strict=True)]}}]}, T),
    "Cohere": ({"message": Q, "response_id": "r", "text": A, "documents": [
        {"id": f"web_{n}", "title": h, "snippet": t, "url": "https://a.org"}
        for n, (h, t) in enumerate(zip(H, T, strict=True))], "citations": [
        {"start": 0, "end": 7, "text": "Ann Lee", "document_ids": ["web_0"]}]}, T),
    "Perplexity": ({"question": Q, "model": "sonar", "citations": ["https://a.org", "https://b.org"],
        "search_results": [{"title": h, "url": "https://a.org", "date": None, "snippet": t}
                           for h, t in zip(H, T, strict=True)],
        "choices": [{"index": 0, "message": REPLY}]}, T),
    "Flowise": ({"text": A, "question": Q, "chatId": "c", "sourceDocuments": [
        {"pageContent": t, "metadata": {"source": "blob"}} for t in T]}, T),
    "LlamaIndex": ({"query": Q, "response": A, "source_nodes": [{"node": {"id_": "n", "metadata": {
        "file_name": "a.pdf"}, "text": t, "class_name": "TextNode"}, "score": 0.5} for t in T],
        "metadata": {}}, T),
    "Weave": ({"id": "c", "op_name": "weave:///e/p/op/rag:1", "trace_id": "t", "parent_id": None,
        "inputs": {"question": Q}, "output": {"answer": A, "context": T}, "summary": {}}, T),
    "Open WebUI": ({"id": "c", "title": "New chat", "chat": {"models": ["m"], "messages": [
        {"role": "user", "content": Q}, {"role": "assistant", "content": A, "sources": [
            {"source": {"name": "a.pdf"}, "document": T, "metadata": [{}, {}]}]}]}}, T),
    "AnythingLLM": ({"prompt": Q, "id": "c", "type": "textResponse", "textResponse": A, "close": True,
        "sources": [{"id": "s", "title": "a.pdf", "text": t, "score": 0.5} for t in T]}, T),
}  # fmt: skip

RECORDS = {
    **{name: ({"question": Q, name: A, "contexts": T}, T) for name in (
        "gen_answer", "generated_answer", "pred", "prediction", "output_text", "model_answer",
        "llm_answer", "llm_response", "generated_response", "final_answer", "completion",
        "bot_response", "predicted_answer", "hypothesis", "system_output", "agent_response",
        "model_response", "assistant_response", "generated_text", "answer_text")},
    **{f"named by {name}": ({name: Q, "response": A, "contexts": T}, T) for name in (
        "query", "user_query", "instruction", "user_question", "user_prompt", "question_text", "query_text",
        "message", "inputs", "person", "subject", "page_title", "user_request", "search_query")},
    **{f"passages in {name}": ({"question": Q, "response": A, name: DOCS}, T) for name in (
        "evidence", "retrieved_context", "retrieved_contents", "sources", "snippets", "chunks",
        "retrieved_chunks", "knowledge", "context_docs", "reference_documents", "sourceDocuments",
        "search_results", "retrieval_results", "context_documents",
        "evidences", "wikipedia_text", "retrieved")},
    "article": ({"topic": "Ann Lee", "article": A, "docs": DOCS}, T),
    "answer in an object": ({"question": Q, "answer": {"text": A, "confidence": 0.5}, "docs": DOCS}, T),
    "list of one answer": ({"question": Q, "responses": [A], "docs": DOCS}, T),
    "generations": ({"question": Q, "generations": [A], "docs": DOCS}, T),
    "null context": ({"question": Q, "response": A, "contexts": [T[0], None, T[1]]}, [T[0], "", T[1]]),
    "context ids": ({"user_input": Q, "response": A, "retrieved_contexts": T,
                     "retrieved_context_ids": ["a", "b"]}, T),
    "RetrievedContextData": ({"input": Q, "actual_output": A, "retrieval_context": [
        {"context": t, "source": "a.pdf"} for t in T]}, T),
    "claims with evidence": ({"question": Q, "response": A, "claims": [
        {"claim": "Ann Lee was a painter.", "evidence": [DOCS[0]]},
        {"claim": "Ann Lee rowed for Canada.", "evidence": [DOCS[1], DOCS[0]]}]}, T),
    "upper case": ({"Question": Q, "Response": A, "Contexts": T}, T),
    "camel case": ({"userInput": Q, "generatedAnswer": A, "retrievedContexts": T}, T),
    "spaces": ({"User question": Q, "Generated answer": A, "Retrieved contexts": T}, T),
    "dashes": ({"user-input": Q, "generated-answer": A, "retrieved-contexts": T}, T),
}  # fmt: skip

TITLE, TEXT = "Ann Lee (painter)", "Ann Lee paints in Bath. She was born in Leeds."
WIKI = f'<doc id="1" url="https://w.org/?curid=1" title="{TITLE}">\n{TITLE}\n\n{TEXT}\n</doc>\n'
PAGES = {
    "wikiextractor": ("out/AA/wiki_00", WIKI),
    "wikiextractor JSON": ("out/AA/wiki_00", lines({"id": "1", "revid": "2", "url": "u", "title": TITLE,
                                                  "text": TEXT})),
    "KILT": ("x.jsonl", lines({"_id": "1", "wikipedia_id": "1", "wikipedia_title": TITLE, "text": [
        f"{TITLE}\n", f"{TEXT}\n"], "anchors": [], "categories": "a,b", "history": {}})),
    "Cirrus": ("x.json", '{"index":{"_type":"_doc","_id":"1"}}\n' + lines({"namespace": 0, "wiki": "enwiki",
        "title": TITLE, "text": TEXT, "source_text": "'''Ann'''", "redirect": [], "text_bytes": 9})),
    "Pyserini": ("x.jsonl", lines({"id": "1", "contents": f"{TITLE}\n{TEXT}"})),
    "FlashRAG": ("x.jsonl", lines({"id": "0", "contents": f'"{TITLE}"\n{TEXT}'})),
    "LangChain": ("x.json", json.dumps([{"page_content": TEXT, "metadata": {"title": TITLE}}])),
    "LangChain lc": ("x.json", json.dumps([{"lc": 1, "type": "constructor", "id": ["x", "Document"],
        "kwargs": {"page_content": TEXT, "metadata": {"title": TITLE, "source": "u"}}}])),
    "Haystack": ("x.json", json.dumps([{"id": "1", "content": TEXT, "meta": {"title": TITLE}}])),
    "titles": ("x.json", json.dumps({TITLE: TEXT})),
    "content": ("x.jsonl", lines({"title": TITLE, "content": TEXT})),
    "BEIR": ("x.jsonl", lines({"_id": "1", "title": TITLE, "text": TEXT, "metadata": {}})),
    "MS MARCO": ("x.jsonl", lines({"docid": "d#1", "url": "u", "title": TITLE, "headings": "h",
        "segment": TEXT, "start_char": 0, "end_char": 9})),
    "MS MARCO v1": ("x.jsonl", lines({"docid": "d", "url": "u", "title": TITLE, "headings": "h",
                                      "body": TEXT})),
    "HotpotQA": ("wiki_00", lines({"id": "1", "url": "u", "title": TITLE, "text": [
        "Ann Lee paints in Bath.", " She was born in Leeds."], "charoffset": [], "text_with_links": []})),
    "HotpotQA full": ("x.jsonl", lines({"id": "1", "url": "u", "title": TITLE, "text": [
        [TITLE], ["Ann Lee paints in Bath.", " She was born in Leeds."]]})),
    "FEVER": ("x.jsonl", lines({"id": "Ann_Lee_-LRB-painter-RRB-", "text": TEXT,
                                "lines": "0\tAnn Lee paints in Bath."})),
    "MediaWiki": ("x.json", json.dumps({"batchcomplete": "", "query": {"pages": {"7": {
        "pageid": 7, "ns": 0, "title": TITLE, "extract": TEXT}}}})),
    "MediaWiki 2": ("x.json", json.dumps({"batchcomplete": True, "query": {"pages": [
        {"pageid": 7, "ns": 0, "title": TITLE, "extract": TEXT}]}})),
    "Wikimedia Enterprise": ("x.ndjson", lines({"name": TITLE, "identifier": 7, "url": "u",
        "date_modified": "2025", "article_body": {"html": f"<p>{TEXT}</p>", "wikitext": TEXT}})),
    "LlamaIndex": ("docstore.json", json.dumps({"docstore/metadata": {}, "docstore/data": {"n": {
        "__data__": {"id_": "n", "metadata": {"title": TITLE}, "text": TEXT}, "__type__": "1"}}})),
    "Chroma": ("x.json", json.dumps({"ids": ["a"], "embeddings": None, "documents": [TEXT],
                                     "metadatas": [{"title": TITLE}]})),
    "Qdrant": ("x.json", json.dumps({"result": {"points": [{"id": 1, "payload": {"title": TITLE,
                                    "text": TEXT}, "vector": None}]}, "status": "ok", "time": 0.1})),
    "elasticdump": ("x.jsonl", lines({"_index": "i", "_type": "_doc", "_id": "1", "_score": 1,
                                      "_source": {"title": TITLE, "content": TEXT}})),
    "DPR": ("x.tsv", f"id\ttext\ttitle\n1\t{TEXT}\t{TITLE}\n"),
    "Atlas": ("x.jsonl", lines({"id": "1", "title": TITLE, "section": "", "text": TEXT})),
    "Atlas infobox": ("x.jsonl", lines({"id": "1", "title": TITLE, "section": "Life", "text": TEXT})),
    "CSV": ("x.csv", f'title,text\n{TITLE},"{TEXT}"\n'),
    "capital CSV": ("x.csv", f'Page,Content\n{TITLE},"{TEXT}"\n'),
    "folder of text": ("d/Ann_Lee_(painter).txt", TEXT),
    "Markdown": ("d/Ann Lee (painter).md", TEXT),
    "Markdown with a head": ("d/Ann Lee (painter).md", f"---\ntags: [art]\n---\n\n{TEXT}"),
    "HTML": ("d/Ann_Lee_(painter).html", f"<html><head><title>x</title></head><p>{TEXT}</p></html>"),
    "trafilatura": ("x.json", json.dumps({"title": TITLE, "author": None, "hostname": "a.org",
                                          "text": TEXT, "raw_text": TEXT, "source": "u"})),
    "pandas": ("x.json", json.dumps({"title": {"0": TITLE}, "text": {"0": TEXT}})),
    "hub": ("x.json", json.dumps({"features": [], "rows": [{"row_idx": 0, "row": {
        "title": TITLE, "text": TEXT}, "truncated_cells": []}]})),
    "printed lines": ("x.jsonl", json.dumps({"title": TITLE, "text": TEXT}, indent=2)),
    "list in JSON lines": ("x.jsonl", json.dumps([{"title": TITLE, "text": TEXT}])),
}  # fmt: skip
